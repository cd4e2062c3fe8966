import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { consoleHeader, openConsole } from "./console-helpers.ts";

const EVIL = "https://evil.example";

let service: TestService;
let held: Record<string, string>;
beforeAll(async () => {
  service = await TestService.start();
  held = await openConsole(service, { key: service.identity.api_key });
});
afterAll(() => service.stop());

/** Sends a request as a browser does for a page of another site, if its cookie were not SameSite. */
const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  fetch(`${service.baseUrl}${path}`, {
    method,
    headers: { cookie: held.cookie ?? "", origin: EVIL, ...headers },
    ...(body === undefined ? {} : { body }),
  });

const names = async () => {
  const { body } = await service.call("GET", "/v2/user");
  return body.users.map(({ client_user_id }: { client_user_id: string }) => client_user_id);
};

describe("a page of another site", () => {
  test("cannot use the cookie of a session without the header of the console", async () => {
    expect((await send("GET", "/v2/user", {})).status).toBe(401);
    expect((await send("GET", "/v2/user", { "x-console-request": "0" })).status).toBe(401);
    expect((await send("GET", "/console/session", {})).status).toBe(401);
    expect((await send("DELETE", "/console/session", {})).status).toBe(401);
    expect((await send("GET", "/v2/user", consoleHeader)).status).toBe(200);
  });

  test.each([
    ["application/x-www-form-urlencoded", "client_user_id=forged"],
    ["text/plain", '{"client_user_id":"forged","x":"="}'],
    [
      "multipart/form-data; boundary=b",
      '--b\r\ncontent-disposition: form-data; name="client_user_id"\r\n\r\nforged\r\n--b--',
    ],
  ])("cannot change anything with a form of type %s", async (type, body) => {
    expect((await send("POST", "/v2/user", { "content-type": type }, body)).status).toBe(401);
    expect(await names()).not.toContain("forged");
  });

  test("cannot sign a browser in to a session of its own choice", async () => {
    const body = JSON.stringify({ key: service.identity.api_key });
    const answer = await send("POST", "/console/session", { "content-type": "text/plain" }, body);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });

  test("does not get the permission to send the header, or cookies, to any route", async () => {
    for (const path of ["/v2/user", "/console/session", "/console/sessions"]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const asked = {
          "access-control-request-method": method,
          "access-control-request-headers": "x-console-request",
        };
        const { headers } = await send("OPTIONS", path, asked);
        expect(headers.get("access-control-allow-headers")).not.toContain("x-console-request");
        expect(headers.get("access-control-allow-credentials")).toBeNull();
      }
    }
  });
});
