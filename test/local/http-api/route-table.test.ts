import { describe, expect, test } from "vitest";
import { parseRequestTarget } from "../../../lib/local/http-api/request-target.ts";
import { RouteTable } from "../../../lib/local/http-api/route-table.ts";

function find(routeKeys: readonly string[], method: string, path: string) {
  const table = new RouteTable(routeKeys.map((routeKey) => ({ routeKey })));
  const match = table.match(method, parseRequestTarget(path)?.segments ?? []);
  return match && [match.route.routeKey, match.pathParameters];
}

/** The example of the AWS page "Create routes for HTTP APIs", and more. */
const routeKeys = [
  "$default",
  "ANY /{proxy+}",
  "GET /pets/{proxy+}",
  "GET /pets/dog/{id}",
  "GET /pets/dog/1",
  "GET /",
  "ANY /users/{user_id}",
  "GET /users/{user_id}",
  "GET /users/{user_id}/files/{file}",
  "GET /users/me/{kind}/{file}",
  "GET /users/{user_id}/{kind}/avatar",
  "GET /users/me/{file}",
  "GET /users/{user_id}/avatar",
  "GET /users/{user_id}/files/{rest+}",
];

describe("a request is routed", () => {
  test.each([
    ["GET", "/pets/dog/1", "GET /pets/dog/1", {}],
    ["GET", "/pets/dog/2", "GET /pets/dog/{id}", { id: "2" }],
    ["GET", "/pets/cat/1", "GET /pets/{proxy+}", { proxy: "cat/1" }],
    ["GET", "/pets/cat/", "GET /pets/{proxy+}", { proxy: "cat/" }],
    ["POST", "/test/5", "ANY /{proxy+}", { proxy: "test/5" }],
    ["GET", "/", "GET /", {}],
    ["POST", "/", "$default", {}],
    ["GET", "/users/7", "GET /users/{user_id}", { user_id: "7" }],
    ["PUT", "/users/7", "ANY /users/{user_id}", { user_id: "7" }],
    ["GET", "/users/7/", "ANY /{proxy+}", { proxy: "users/7/" }],
    ["GET", "/users/me/files/x", "GET /users/me/{kind}/{file}", { kind: "files", file: "x" }],
    ["GET", "/users/7/files/avatar", "GET /users/{user_id}/files/{file}", { user_id: "7", file: "avatar" }],
    ["GET", "/users/me/avatar", "GET /users/me/{file}", { file: "avatar" }],
    ["GET", "/users/7/files/a/b", "GET /users/{user_id}/files/{rest+}", { user_id: "7", rest: "a/b" }],
    ["GET", "/users/a%20b", "GET /users/{user_id}", { user_id: "a b" }],
    ["GET", "/users/a%2Fb", "GET /users/{user_id}", { user_id: "a/b" }],
    ["GET", "/%70ets/dog/1", "GET /pets/dog/1", {}],
    ["GET", "http://example.test/pets/dog/1?x=1", "GET /pets/dog/1", {}],
  ])("%s %s -> %s", (method, path, routeKey, pathParameters) => {
    expect(find(routeKeys, method, path)).toEqual([routeKey, pathParameters]);
    expect(find([...routeKeys].reverse(), method, path)).toEqual([routeKey, pathParameters]);
  });
});

describe("the route table", () => {
  const some = ["GET /users/{user_id}", "$default"];

  test("prefers a route with fewer variables over one with an earlier static segment", () => {
    const both = ["GET /a/{b}/{c}", "GET /{a}/b/c"];
    expect(find(both, "GET", "/a/b/c")?.[0]).toBe("GET /{a}/b/c");
  });

  test("prefers a full match over a greedy one with more static segments", () => {
    expect(find(["GET /a/{rest+}", "GET /{a}/{b}"], "GET", "/a/b")?.[0]).toBe("GET /{a}/{b}");
  });

  test.each(["/users/7/", "/users//7", "//users/7", "/users/", "/users", "/Users/7"])(
    "routes %s to $default",
    (path) => {
      expect(find(some, "GET", path)?.[0]).toBe("$default");
    },
  );

  test("does not answer HEAD by a GET route", () => {
    expect(find(some, "HEAD", "/users/7")?.[0]).toBe("$default");
  });

  test("answers no unmatched request without a $default route", () => {
    expect(find(["GET /a"], "GET", "/b")).toBeUndefined();
  });

  test.each(["GET", "get /a", "GET a", "GET /{rest+}/a", ""])("refuses the route key %j", (routeKey) => {
    expect(() => new RouteTable([{ routeKey }])).toThrow();
  });

  test("refuses two routes that match the same requests, and names both", () => {
    const twins = [{ routeKey: "GET /a/{x}" }, { routeKey: "GET /a/{y}" }];
    expect(() => new RouteTable(twins)).toThrow(/"GET \/a\/\{x\}" and "GET \/a\/\{y\}"/);
  });

  test.each(["/a%", "/%zz", "/%C3", "*", "example.test:443", ""])("refuses the request target %j", (target) => {
    expect(parseRequestTarget(target)).toBeUndefined();
  });
});
