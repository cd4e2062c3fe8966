import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startHttpApi } from "../../../lib/local/http-api/http-api-server.ts";
import { eventOf, sendRaw, sendRequest, startApi } from "./http-exchange.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the server", () => {
  test("refuses a used port with one line that names it", async () => {
    const { port } = new URL((await startApi()).url);
    const second = startHttpApi({
      name: "second",
      port: Number(port),
      routes: [],
      clock: Date,
      invoke: async () => null,
    });
    await expect(second).rejects.toThrow(`second: port ${port} is already in use`);
  });

  test("answers 404 without a route", async () => {
    const reply = await sendRequest(await startApi({ routes: [] }), "/");
    expect(reply).toMatchObject({
      status: 404,
      text: expect.stringMatching(
        /^\{"message":"Not Found","detail":"Not Found","code":"\w+","request_id":"[\w-]+"\}$/,
      ),
    });
  });

  test("calls beforeRoutes first", async () => {
    const api = await startApi({
      beforeRoutes: async (request, response) => {
        if (request.url !== "/_local/clock") return false;
        response.end("ours");
        return true;
      },
    });
    expect((await sendRequest(api, "/_local/clock")).text).toBe("ours");
    expect(await eventOf(api, "/other", { method: "POST", body: "x" })).toMatchObject({
      rawPath: "/other",
      body: "eA==",
    });
  });

  test("answers 500 if beforeRoutes fails", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const api = await startApi({ beforeRoutes: () => Promise.reject(new Error("broken")) });
    expect(await sendRequest(api, "/")).toMatchObject({ status: 500 });
  });

  test("answers requests in progress before it closes", async () => {
    const called = Promise.withResolvers<void>();
    const result = Promise.withResolvers<unknown>();
    const invoke = () => {
      called.resolve();
      return result.promise;
    };
    const api = await startApi({ invoke });
    const reply = sendRequest(api, "/");
    await called.promise;
    const closed = api.close();
    result.resolve({ done: true });
    expect((await reply).text).toBe('{"done":true}');
    await closed;
  });

  test("does not wait for incomplete requests when it closes", async () => {
    const api = await startApi();
    const reply = sendRaw(api, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx");
    await sendRequest(api, "/");
    await api.close();
    expect(await reply).toBe("");
  });
});

describe("a request body", () => {
  const tooLong = {
    status: 413,
    text: expect.stringMatching(
      /^\{"message":"Request Too Long","detail":"Request Too Long","code":"\w+","request_id":"[\w-]+"\}$/,
    ),
  };

  test("has at most the length of the limit", async () => {
    const api = await startApi({ maxBodyBytes: 10 });
    const headers = { "content-type": "text/plain" };
    expect(await eventOf(api, "/", { method: "POST", headers, body: "0123456789" })).toMatchObject({
      body: "0123456789",
    });
    expect(await sendRequest(api, "/", { method: "POST", body: "x".repeat(11) })).toMatchObject(tooLong);
  });

  test("without a length is refused once it exceeds the limit", async () => {
    const api = await startApi({ maxBodyBytes: 10, invoke: async () => "ok" });
    const headers = { "transfer-encoding": "chunked" };
    expect(await sendRequest(api, "/", { method: "POST", headers, body: "x".repeat(10) })).toMatchObject({
      status: 200,
    });
    expect(await sendRequest(api, "/", { method: "POST", headers, body: "x".repeat(11) })).toMatchObject(tooLong);
    expect(await sendRequest(api, "/", { method: "POST", headers, body: Buffer.alloc(20 << 20) })).toMatchObject(
      tooLong,
    );
  });

  test("within the gateway's limit is refused if its event exceeds Lambda's limit", async () => {
    const invoke = vi.fn(async () => "ok");
    const api = await startApi({ invoke });
    const text = { "content-type": "text/plain" };
    const body = Buffer.alloc(5 << 20, "x");
    expect(await sendRequest(api, "/", { method: "POST", headers: text, body })).toMatchObject({ status: 200 });
    expect(await sendRequest(api, "/", { method: "POST", body })).toMatchObject(tooLong);
    expect(invoke).toHaveBeenCalledTimes(1);
  });
});

describe("a bad request", () => {
  test.each([
    ["a path with broken percent-encoding", "GET /a%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "400"],
    ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "400"],
    ["no HTTP syntax", "hello\r\n\r\n", "400"],
    ["no host", "GET / HTTP/1.1\r\n\r\n", "400"],
    ["an invalid chunk", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400"],
    ["a header that is too long", `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, "431"],
    ["CONNECT", "CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n", "405"],
    ["an unknown expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: 42\r\nConnection: close\r\n\r\n", "417"],
  ])("with %s is answered and affects no other", async (_what, text, status) => {
    const api = await startApi();
    expect((await sendRaw(api, text)).split(" ")[1]).toBe(status);
    expect(await sendRequest(api, "/")).toMatchObject({ status: 200 });
  });

  test("for an upgrade is processed as an ordinary request", async () => {
    const lines = ["GET /ws HTTP/1.1", "Host: x", "Connection: upgrade, close", "Upgrade: websocket", "", ""];
    const received = await sendRaw(await startApi(), lines.join("\r\n"));
    expect(received).toContain("HTTP/1.1 200");
    expect(received).toContain('"rawPath":"/ws"');
  });

  test.each([
    ["head", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow:"],
    ["body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx"],
  ])("with an unfinished %s times out", async (_part, text) => {
    const invoke = vi.fn(async () => null);
    const api = await startApi({ receiveTimeoutMs: 50, invoke });
    expect((await sendRaw(api, text)).split(" ")[1]).toBe("408");
    expect(invoke).not.toHaveBeenCalled();
  });

  test("whose client leaves in the middle of its body is dropped without an error", async () => {
    const complain = vi.spyOn(console, "error");
    const api = await startApi();
    const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx");
    await once(socket, "connect");
    await sendRequest(api, "/");
    socket.resetAndDestroy();
    expect(await sendRequest(api, "/")).toMatchObject({ status: 200 });
    await api.close();
    expect(complain).not.toHaveBeenCalled();
  });
});
