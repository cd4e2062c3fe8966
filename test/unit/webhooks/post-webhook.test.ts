import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ports, setPorts } from "../../../lib/runtime/ports.ts";
import { type OutgoingWebhook, postWebhook } from "../../../lib/services/webhooks/post-webhook.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let server: Server | undefined;
beforeEach(() => vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1"));
afterEach(() => {
  setPorts(undefined);
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Posts to a server with this listener. */
async function postTo(listener: RequestListener, about: Partial<OutgoingWebhook> = {}) {
  server = createServer({ maxHeaderSize: 1_000_000 }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const url = `http://127.0.0.1:${port}/hook`;
  return postWebhook({
    url,
    id: "evt_1",
    body: "{}",
    secrets: [SECRET],
    version: 1,
    headers: {},
    contentType: "application/json",
    attributes: {},
    ...about,
  });
}

describe("a webhook response", () => {
  test("without end is read only as far as needed", async () => {
    const written = { bytes: 0 };
    const result = await postTo((_, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write("x".repeat(65_536))) written.bytes += 65_536;
      };
      response.on("drain", write);
      write();
    });
    expect(result).toMatchObject({ status: 200, error: null, response: "x".repeat(1024) });
    // The server filled only the buffers of the connection, far less than an endless response.
    expect(written.bytes).toBeLessThan(64 * 1024 * 1024);
  });

  test("is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const result = await postTo((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb.subarray(0, 2_000)),
    );
    expect(result).toMatchObject({ status: 200, error: null });
    expect(result.response).toContain("\u001f");
  });

  test("that breaks off counts as a failure", async () => {
    const result = await postTo((request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      request.socket.destroySoon();
    });
    expect(result).toMatchObject({ status: 0, error: "broken" });
  });

  test("with excessive headers counts as a failure", async () => {
    const result = await postTo((_, response) => response.writeHead(200, { "x-long": "x".repeat(200_000) }).end());
    expect(result).toMatchObject({ status: 0, error: "broken" });
  });

  test("that switches the protocol ends the attempt", async () => {
    const result = await postTo((request) =>
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
    );
    expect(result).toMatchObject({ status: 0, error: "broken" });
  });

  test("may follow some interim responses, but not an endless number", async () => {
    const hinted = (times: number) =>
      postTo(async (_, response) => {
        for (let hint = 0; hint < times; hint++) response.writeEarlyHints({ link: "</a>; rel=preload" });
        response.writeHead(204).end();
      });
    expect(await hinted(8)).toMatchObject({ status: 204, error: null });
    server?.close();
    expect(await hinted(9)).toMatchObject({ status: 0, error: "broken" });
  });

  test.each([301, 308])("of %i is not followed", async (status) => {
    const asked: (string | undefined)[] = [];
    const result = await postTo((request, response) => {
      asked.push(request.url);
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    expect([result.status, asked]).toEqual([status, ["/hook"]]);
  });

  test("returns the Retry-After value", async () => {
    const result = await postTo((_, response) => response.writeHead(503, { "retry-after": "7" }).end());
    expect(result).toMatchObject({ status: 503, retryAfter: "7" });
  });
});

describe("a webhook that can not be sent", () => {
  test.each([
    ["an invalid URL", "nowhere"],
    ["a plain HTTP URL", "http://example.com/"],
    ["another port", "https://example.com:5432/"],
    ["a URL with credentials", "http://user:password@127.0.0.1:1/"],
  ])("because of %s is refused", async (_, url) => {
    expect(await postTo(() => undefined, { url })).toMatchObject({ status: 0, error: "refused" });
  });

  test("because of an invalid header is refused", async () => {
    const headers = { "x-broken": "a\nb" };
    expect(await postTo(() => undefined, { headers })).toMatchObject({ status: 0, error: "refused" });
  });

  test("because no server listens counts as not delivered", async () => {
    expect(await postTo(() => undefined, { url: "http://127.0.0.1:1/" })).toMatchObject({ error: "unreachable" });
  });

  test("because of an injected fault may have reached the receiver", async () => {
    setPorts({ ...ports(), outbound: () => Promise.reject(new Error("no")) });
    expect(await postTo(() => undefined)).toMatchObject({ status: 0, error: "broken" });
  });
});

test("proxies of the environment are not used", async () => {
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, "http://127.0.0.1:1");
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  expect(await postTo((_, response) => response.writeHead(204).end())).toMatchObject({ status: 204, error: null });
});
