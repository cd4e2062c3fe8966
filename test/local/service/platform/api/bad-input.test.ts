import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateApiKey } from "../../../../../lib/crypto/api-key.ts";
import { type Answer, TestService } from "../../../../support/service.ts";
import { openConsole } from "../../console/console-helpers.ts";
import { sendBatch } from "../../ingest/ingest-batch.ts";

const UNKNOWN = "5b1d6f0e-0000-4000-8000-000000000000";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Expects the one error shape, with the request id of the header. */
function expectRefusal(answer: Answer, status: number, code?: string) {
  expect([answer.status, code ?? answer.body.code]).toEqual([status, answer.body.code]);
  expect(answer.body).toMatchObject({ detail: expect.anything(), code: expect.any(String) });
  expect(answer.body.request_id).toBe(answer.headers.get("x-request-id"));
  expect(answer.headers.get("content-type")).toContain("application/json");
}

test.each([
  ["GET", "/"],
  ["GET", "/v2"],
  ["GET", "/v2/users"],
  ["GET", "/v2/user/a/b/c"],
  ["POST", "/v9/user"],
  ["GET", "//v2/user"],
  ["GET", "/v2//user/"],
  ["GET", "/%2e%2e/%2e%2e/etc/passwd"],
  ["GET", "/_local/unknown"],
  ["PUT", "/v2/user"],
  ["DELETE", "/v2/user"],
  ["GET", "/v2/user/undo_delete"],
])("%s %s is no route, with and without a key", async (method, path) => {
  const answers = [await service.call(method, path), await service.call(method, path, { key: null })];
  for (const answer of answers) {
    if (answer.status === 308 || answer.body.code === "validation_failed" || answer.body.code === "unauthorized")
      continue;
    expectRefusal(answer, 404, "route_not_found");
  }
  expect(answers.every(({ status }) => status >= 300 && status < 500)).toBe(true);
});

test("the management API refuses unknown routes and routes of the main API in the same shape", async () => {
  expectRefusal(await service.manage("GET", "/v1/nothing"), 404, "route_not_found");
  expectRefusal(await service.manage("GET", "/v2/user"), 404, "route_not_found");
  expectRefusal(await service.call("GET", `/v1/org/${UNKNOWN}/team`), 404, "route_not_found");
});

test.each([
  ["no JSON", "{"],
  ["text", "hello"],
  ["a byte order mark alone", "\ufeff"],
  ["an object with a trailing comma", '{"client_user_id":"a",}'],
  ["half of a surrogate pair as a key", '{"client_user_id":"a","\\udfff":1}'],
  ["a comment", '{"client_user_id":"a"} // a'],
])("a body that is %s is refused with 400", async (_, body) => {
  expectRefusal(await service.call("POST", "/v2/user", { body }), 400, "malformed_body");
});

test("half of a surrogate pair within a text is replaced", async () => {
  const { status, body } = await service.call("POST", "/v2/user", { body: '{"client_user_id":"cut \\ud800"}' });
  expect([status, body.client_user_id]).toEqual([200, "cut \ufffd"]);
});

test("a body that is not UTF-8 is refused with 400", async () => {
  const response = await fetch(`${service.baseUrl}/v2/user`, {
    method: "POST",
    headers: { "x-service-api-key": service.identity.api_key, "content-type": "application/json" },
    body: Buffer.from('{"client_user_id":"caf\xe9"}', "latin1"),
  });
  expect([response.status, (await response.json()).code]).toEqual([400, "malformed_body"]);
});

test.each([
  ["an empty body", ""],
  ["null", "null"],
  ["a list", "[]"],
  ["a number", "1"],
  ["no reference", "{}"],
  ["a number as reference", '{"client_user_id":1}'],
  ["an object as reference", '{"client_user_id":{"toString":"x"}}'],
  ["a blank reference", '{"client_user_id":"   "}'],
  ["a reference of 257 characters", JSON.stringify({ client_user_id: "x".repeat(257) })],
  ["a deep list as reference", `{"client_user_id":${"[".repeat(50)}${"]".repeat(50)}}`],
])("creating a user with %s is refused with 422 and the location", async (_, body) => {
  const answer = await service.call("POST", "/v2/user", { body });
  expectRefusal(answer, 422, "validation_failed");
  for (const location of answer.body.detail) {
    expect(location).toEqual({
      loc: expect.arrayContaining(["body"]),
      msg: expect.any(String),
      type: expect.any(String),
    });
  }
});

test("an excessively nested body is refused as malformed", async () => {
  const body = `{"client_user_id":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  expectRefusal(await service.call("POST", "/v2/user", { body }), 400, "malformed_body");
});

test("a refusal lists all locations at once and repeats no value", async () => {
  const body = { client_user_id: 7, fallback_time_zone: "Secret/Place", ingestion_start: "secret date" };
  const answer = await service.call("POST", "/v2/user?limit=secret", { body });
  expectRefusal(answer, 422);
  expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join("."))).toEqual([
    "body.client_user_id",
    "body.fallback_time_zone",
    "body.ingestion_start",
  ]);
  expect(JSON.stringify(answer.body).toLowerCase()).not.toContain("secret");
});

test.each(["not-a-uuid", "00000000", "5b1d6f0e-0000-4000-8000-00000000000g", "%00", "constructor", "__proto__"])(
  "the user id %s is refused with 422",
  async (id) => {
    const answer = await service.call("GET", `/v2/user/${id}`);
    expectRefusal(answer, 422);
    expect(answer.body.detail[0].loc).toEqual(["path", "user_id"]);
  },
);

test("missing, malformed, unknown and altered credentials are refused with 401", async () => {
  const { api_key } = service.identity;
  const unknown = generateApiKey("sk_us", (length) => Buffer.alloc(length, 5)).key;
  const altered = `${api_key.slice(0, -1)}${api_key.endsWith("0") ? "1" : "0"}`;
  const otherSecret = api_key.replace(/^(sk_us_\w{8}_).*/, `$1${unknown.slice(15)}`);
  for (const key of [null, "", "x", "sk_us_", unknown, altered, otherSecret, `${api_key},${api_key}`, "é".repeat(9)]) {
    const headers = key === null ? undefined : { "x-service-api-key": encodeURI(key) };
    const answer = await service.call("GET", "/v2/user", { key: null, ...(headers ? { headers } : {}) });
    expectRefusal(answer, 401, "unauthorized");
  }
});

test("missing, malformed, unknown and altered sessions of the console are refused with 401", async () => {
  const { cookie = "", ...header } = await openConsole(service, { key: service.identity.api_key });
  const [name, token = ""] = cookie.split("=");
  const altered = `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
  const otherSession = `cs_${"A".repeat(20)}${token.slice(23)}`;
  for (const value of ["", "x", "cs_", altered, otherSession, `${token}A`, token.slice(0, -1), token.toUpperCase()]) {
    const headers = { ...header, cookie: `${name}=${value}` };
    expectRefusal(await service.call("GET", "/v2/user", { key: null, headers }), 401, "unauthorized");
  }
  expect((await service.call("GET", "/v2/user", { key: null, headers: { ...header, cookie } })).status).toBe(200);
});

test("the key is verified before any other check is reported", async () => {
  const answer = await service.call("POST", "/v2/user", { key: null, body: "{" });
  expectRefusal(answer, 401, "unauthorized");
});

test("a body over 1 MiB is refused with 413 on ordinary routes", async () => {
  const body = { client_user_id: "large", note: "x".repeat(1_048_576) };
  expectRefusal(await service.call("POST", "/v2/user", { body }), 413, "body_too_large");
});

test("prototype keys are ordinary unknown keys", async () => {
  const polluting = '{"client_user_id":"polluter","__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}';
  const made = await service.call("POST", "/v2/user", { body: polluting });
  expect([made.status, made.body.polluted, Object.hasOwn(Object.prototype, "polluted")]).toEqual([
    200,
    undefined,
    false,
  ]);
  const body = `{"provider":"oura","source_type":"ring","resources":{"__proto__":[{"timestamp":"2026-05-01T08:00:00Z","value":1}],
    "constructor":[{}],"toString":[{}],"heartrate":[{"timestamp":"2026-05-01T08:00:00Z","value":60,"__proto__":{"unit":"x"}}]}}`;
  const sent = await service.call("POST", `/v2/ingest/${made.body.user_id}`, { body });
  expect([sent.status, sent.body.accepted]).toEqual([202, 1]);
  await service.settle();
});

test("numbers beyond all bounds are refused instead of stored as other values", async () => {
  const userId = await service.createUser("huge numbers");
  const at = "2026-05-01T08:00:00Z";
  for (const value of ["1e400", "-1e400", "1e308", "-0.5", "99999999999999999999999"]) {
    const body = `{"provider":"oura","source_type":"ring","resources":{"heartrate":[{"timestamp":"${at}","value":${value}}]}}`;
    expectRefusal(await service.call("POST", `/v2/ingest/${userId}`, { body }), 422);
  }
  expectRefusal(await service.call("GET", "/v2/user?offset=1e309"), 422);
  expectRefusal(await service.call("GET", "/v2/user?limit=0x10000"), 422);
});

test.each([
  "/v3/unmatched_result?created_at_start=2026-05-19&created_at_end=2026-05-09",
  "/v3/orders?start_date=2026-05-19&end_date=2026-05-09",
])("a range that ends before it starts is empty: %s", async (path) => {
  const { status, body } = await service.call("GET", path);
  expect([status, body.total, body.data ?? body.orders]).toEqual([200, 0, []]);
});

test("user bounds at the ends of the calendar are refused or stored", async () => {
  for (const ingestion_end of ["0001-01-01", "1800-06-01"]) {
    const made = await service.call("POST", "/v2/user", { body: { client_user_id: ingestion_end, ingestion_end } });
    if (made.status === 422) continue;
    const sent = await sendBatch(service, made.body.user_id, {
      heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }],
    });
    expect([ingestion_end, sent.body.detail?.[0]?.type]).toEqual([ingestion_end, "out_of_bounds"]);
  }
});

test("a path with invalid percent-encoding is refused with 400, and unknown methods are refused", async () => {
  expect((await service.call("GET", "/v2/user/%zz")).status).toBe(400);
  const { hostname, port } = new URL(service.baseUrl);
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method: "PROPFIND", path: "/v2/user" }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject).end();
  });
  expect(status).toBe(404);
});
