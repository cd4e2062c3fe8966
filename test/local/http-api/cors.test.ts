import { describe, expect, test } from "vitest";
import { sendRequest, startApi } from "./http-exchange.ts";

const origin = "https://app.example";
const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": "PUT" } };
const cors = {
  AllowOrigins: ["http://localhost:5173", origin],
  AllowMethods: ["GET", "PUT"],
  AllowHeaders: ["authorization"],
  ExposeHeaders: ["x-request-id"],
  MaxAge: 300,
  AllowCredentials: true,
};

function corsHeaders(headers: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("access-control-")));
}

describe("an API with a CORS configuration", () => {
  test("responds to a preflight request itself", async () => {
    const reply = await sendRequest(await startApi({ cors }), "/", preflight);
    expect(reply).toMatchObject({ status: 204, text: "" });
    expect(corsHeaders(reply.headers)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET,PUT",
      "access-control-allow-headers": "authorization",
      "access-control-max-age": "300",
    });
  });

  test("allows nothing to an unconfigured origin", async () => {
    const api = await startApi({ cors });
    const headers = { ...preflight.headers, origin: "https://app.example.evil" };
    expect(corsHeaders((await sendRequest(api, "/", { ...preflight, headers })).headers)).toEqual({});
    expect(corsHeaders((await sendRequest(api, "/", { headers })).headers)).toEqual({});
  });

  test("sets its headers on every response, in place of the function's own", async () => {
    const own = { "access-control-allow-origin": "https://other", "access-control-max-age": 1, "x-kept": "1" };
    const api = await startApi({ cors, invoke: async () => ({ statusCode: 404, headers: own }) });
    const { headers } = await sendRequest(api, "/", { headers: { origin } });
    expect(headers["x-kept"]).toBe("1");
    expect(corsHeaders(headers)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-request-id",
    });
    expect(corsHeaders((await sendRequest(api, "/", {})).headers)).toEqual({});
  });

  test.each([
    [["*"], "*"],
    [["https://*"], origin],
    [["http://*"], undefined],
  ])("with the origins %j allows %s", async (AllowOrigins, allowed) => {
    const { headers } = await sendRequest(await startApi({ cors: { AllowOrigins } }), "/", { headers: { origin } });
    expect(headers["access-control-allow-origin"]).toBe(allowed);
  });

  test("routes an OPTIONS request that is not a preflight", async () => {
    const reply = await sendRequest(await startApi({ cors }), "/x", { method: "OPTIONS", headers: { origin } });
    expect(JSON.parse(reply.text)).toMatchObject({ rawPath: "/x" });
  });
});

test("an API without a CORS configuration routes a preflight request and does not change the function's headers", async () => {
  const headers = { "access-control-allow-origin": "*" };
  const api = await startApi({ invoke: async () => ({ statusCode: 204, headers }) });
  expect(corsHeaders((await sendRequest(api, "/", preflight)).headers)).toEqual(headers);
});
