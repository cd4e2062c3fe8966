import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** The resolved address of the receiver's name. */
let checked = "127.0.0.1";
let webhooks: typeof import("../../../lib/services/webhooks/post-webhook.ts");
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("../../../lib/runtime/egress.ts", async (original) => ({
    ...(await original<object>()),
    resolveForEgress: async () => ({ address: checked, family: 4 }),
  }));
  webhooks = await import("../../../lib/services/webhooks/post-webhook.ts");
});
afterAll(() => {
  vi.doUnmock("../../../lib/runtime/egress.ts");
  vi.resetModules();
});

const servers: (Server | TlsServer)[] = [];
afterEach(() => {
  checked = "127.0.0.1";
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server | TlsServer): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const post = (url: string) =>
  webhooks.postWebhook({
    url,
    id: "evt_1",
    body: "{}",
    secrets: [SECRET],
    version: 1,
    headers: {},
    contentType: "application/json",
    attributes: {},
  });

describe("a webhook", () => {
  test("goes to the checked address, with the host name of its URL", async () => {
    const hosts: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(204).end();
    });
    const host = `hooks.example.test:${await listen(server)}`;
    expect(await post(`http://${host}/hook`)).toMatchObject({ status: 204, error: null });
    expect(hosts).toEqual([host]);
  });

  test("requires the certificate of that name and sends nothing without it", async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error("no certificate"));
      },
    });
    server.on("tlsClientError", () => undefined);
    const result = await post(`https://hooks.example.test:${await listen(server)}/hook`);
    expect(result).toMatchObject({ status: 0, error: "unreachable" });
    expect(names).toEqual(["hooks.example.test"]);
  });

  test("is not sent over a connection to another address", async () => {
    checked = "localhost";
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end();
    });
    const result = await post(`http://hooks.example.test:${await listen(server)}/hook`);
    expect(result).toMatchObject({ status: 0, error: "refused" });
    expect(asked).toBe(0);
  });
});
