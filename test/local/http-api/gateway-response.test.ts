import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sendRequest, startApi } from "./http-exchange.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function answerTo(result: unknown, method = "GET") {
  return sendRequest(await startApi({ invoke: async () => result }), "/", { method });
}

describe("the response of a function", () => {
  test("keeps its status, headers, cookies and body", async () => {
    const headers = { "X-Count": 3, "content-type": "text/html", "content-length": "1", connection: "upgrade" };
    const reply = await answerTo({ statusCode: 201, headers, cookies: ["a=1", "b=2; Secure"], body: "<p>é</p>" });
    expect(reply).toMatchObject({ status: 201, text: "<p>é</p>" });
    expect(reply.headers).toMatchObject({
      "x-count": "3",
      "content-type": "text/html",
      "content-length": "9",
      "set-cookie": ["a=1", "b=2; Secure"],
      connection: "close",
    });
    expect(reply.headers["apigw-requestid"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("is decoded from base64 on its flag", async () => {
    const reply = await answerTo({
      statusCode: 200,
      body: Buffer.from("bytes").toString("base64"),
      isBase64Encoded: true,
    });
    expect(reply.text).toBe("bytes");
  });

  test("has no body for HEAD, but the length of the body", async () => {
    const reply = await answerTo({ statusCode: 200, body: "12345" }, "HEAD");
    expect(reply).toMatchObject({ status: 200, text: "", headers: { "content-length": "5" } });
  });

  test.each([
    [{ hello: 1 }, '{"hello":1}'],
    ["plain", "plain"],
    [[1, 2], "[1,2]"],
    [null, "null"],
    [undefined, "null"],
    [{ body: "no status" }, '{"body":"no status"}'],
  ])("is a 200 in JSON if it is only %j", async (result, text) => {
    expect(await answerTo(result)).toMatchObject({
      status: 200,
      text,
      headers: { "content-type": "application/json" },
    });
  });

  test.each([
    { statusCode: "200" },
    { statusCode: 101 },
    { statusCode: 600 },
    { statusCode: 200, body: { not: "text" } },
    { statusCode: 200, headers: "none" },
    { statusCode: 200, headers: { "bad name": "x" } },
    { statusCode: 200, headers: { "x-first": "1", name: "two\nlines" } },
    { statusCode: 200, cookies: ["a=1\r\nx-injected: 1"] },
    { statusCode: 200, cookies: "a=1" },
  ])("is a 500 if it is malformed: %j", async (result) => {
    const reply = await answerTo(result);
    expect(reply).toMatchObject({
      status: 500,
      text: expect.stringMatching(
        /^\{"message":"Internal Server Error","detail":"Internal Server Error","code":"\w+","request_id":"[\w-]+"\}$/,
      ),
    });
    expect(reply.headers).not.toHaveProperty("x-first");
  });

  test("is a 500 if the function throws", async () => {
    const api = await startApi({ invoke: () => Promise.reject(new Error("secret")) });
    expect(await sendRequest(api, "/")).toMatchObject({
      status: 500,
      text: expect.stringMatching(
        /^\{"message":"Internal Server Error","detail":"Internal Server Error","code":"\w+","request_id":"[\w-]+"\}$/,
      ),
    });
  });

  test("is a 500 if it exceeds Lambda's limit", async () => {
    const api = await startApi({
      maxResponseBytes: 100,
      invoke: async () => ({ statusCode: 200, body: "x".repeat(100) }),
    });
    expect(await sendRequest(api, "/")).toMatchObject({ status: 500 });
  });

  test("is a 503 if the integration times out", async () => {
    const routes = [{ routeKey: "$default", functionArn: "arn:aws:lambda:us-east-1:1:function:f", timeoutMs: 20 }];
    const api = await startApi({ routes, invoke: () => new Promise(() => undefined) });
    expect(await sendRequest(api, "/")).toMatchObject({
      status: 503,
      text: expect.stringMatching(
        /^\{"message":"Service Unavailable","detail":"Service Unavailable","code":"\w+","request_id":"[\w-]+"\}$/,
      ),
    });
  });
});
