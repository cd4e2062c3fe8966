import { describe, expect, test } from "vitest";
import { eventOf, startApi } from "./http-exchange.ts";

describe("the event of a request", () => {
  test("has the fields of payload format 2.0", async () => {
    const api = await startApi({
      routes: [{ routeKey: "GET /users/{user_id}", functionArn: "arn:aws:lambda:us-east-1:000000000000:function:f" }],
    });
    const { host, port } = new URL(api.url);
    const headers = { "User-Agent": "test", "X-Api-Key": ["one", "two"], Cookie: "a=1; b=2" };
    const event = await eventOf(api, "/users/a%20b?tag=x&tag=y%20z&until=", { headers });
    expect(event).toEqual({
      version: "2.0",
      routeKey: "GET /users/{user_id}",
      rawPath: "/users/a b",
      rawQueryString: "tag=x&tag=y%20z&until=",
      cookies: ["a=1", "b=2"],
      headers: {
        host,
        "user-agent": "test",
        "x-api-key": "one,two",
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-port": port,
        "x-forwarded-proto": "http",
      },
      queryStringParameters: { tag: "x,y z", until: "" },
      pathParameters: { user_id: "a b" },
      requestContext: {
        accountId: "000000000000",
        apiId: "main",
        domainName: host,
        domainPrefix: "127",
        http: { method: "GET", path: "/users/a b", protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "test" },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        routeKey: "GET /users/{user_id}",
        stage: "$default",
        time: "02/Jan/2030:03:04:05 +0000",
        timeEpoch: Date.UTC(2030, 0, 2, 3, 4, 5),
      },
      isBase64Encoded: false,
    });
  });

  test.each([
    ["application/json", false],
    ["Application/JSON; charset=utf-8", false],
    ["application/xml", false],
    ["application/javascript", false],
    ["text/csv", false],
    ["application/octet-stream", true],
    ["application/x-www-form-urlencoded", true],
    ["application/vnd.api+json", true],
    ["multipart/form-data; boundary=text/plain", true],
    [undefined, true],
  ])("with a body of type %s is in base64: %s", async (type, isBase64Encoded) => {
    const api = await startApi();
    const asked = { method: "POST", body: '{"é":1}', headers: type ? { "content-type": type } : {} };
    const event = await eventOf(api, "/", asked);
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(Buffer.from(event.body ?? "", isBase64Encoded ? "base64" : "utf8").toString()).toBe('{"é":1}');
  });

  test("contains a text body that is not UTF-8 unchanged", async () => {
    const body = Buffer.from([0x22, 0xe9, 0x22]);
    const headers = { "content-type": "application/json" };
    const event = await eventOf(await startApi(), "/", { method: "POST", headers, body });
    expect(event).toMatchObject({ body: body.toString("base64"), isBase64Encoded: true });
  });

  test("contains a chunked body as a whole, without its framing", async () => {
    const headers = { "content-type": "text/plain", "transfer-encoding": "chunked" };
    const event = await eventOf(await startApi(), "/", { method: "POST", headers, body: "one" });
    expect(event.body).toBe("one");
    expect(event.headers).not.toHaveProperty("transfer-encoding");
  });

  test("has ordinary query parameters for names of Object.prototype", async () => {
    const event = await eventOf(await startApi(), "/?__proto__=1&constructor=2&bad=%zz");
    expect(Object.entries(event.queryStringParameters ?? {})).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
      ["bad", "%zz"],
    ]);
  });
});
