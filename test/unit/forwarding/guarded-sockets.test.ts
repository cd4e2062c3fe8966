import { generateKeyPairSync } from "node:crypto";
import dns from "node:dns";
import dnsPromises from "node:dns/promises";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import net, { type AddressInfo, type Server } from "node:net";
import tls from "node:tls";
import { afterEach, describe, expect, test, vi } from "vitest";
import { EgressRefused } from "../../../lib/runtime/egress.ts";
import type { BrokerEvent } from "../../../lib/services/forwarding/broker-event.ts";
import { sendToEventHub } from "../../../lib/services/forwarding/event-hub.ts";
import { withGuardedSockets } from "../../../lib/services/forwarding/guarded-sockets.ts";
import { sendToPubsub } from "../../../lib/services/forwarding/pubsub.ts";

/** An address on the public internet. The test sends nothing to it. */
const PUBLIC = "93.184.215.14";
const servers: Server[] = [];

/** A server in the private network that counts connections and received bytes. */
async function inside(port = 0) {
  const seen = { connections: 0, bytes: 0, port: 0 };
  const server = net.createServer((socket) => {
    seen.connections++;
    socket.on("error", () => undefined);
    socket.on("data", (part) => {
      seen.bytes += part.length;
    });
  });
  servers.push(server.listen(port, "127.0.0.1"));
  await once(server, "listening");
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

/** Resolves every name to a public address first and to a private address afterwards. */
function rebind(): void {
  const later = { address: "127.0.0.1", family: 4 };
  const first = vi.spyOn(dnsPromises, "lookup").mockResolvedValue([later] as never);
  first.mockResolvedValueOnce([{ address: PUBLIC, family: 4 }] as never);
  const lookup = (_: string, { all }: { all?: boolean }, done: (...answer: unknown[]) => void) =>
    setImmediate(() => (all ? done(null, [later]) : done(null, later.address, later.family)));
  vi.spyOn(dns, "lookup").mockImplementation(lookup as never);
  syncBuiltinESMExports();
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  for (const server of servers.splice(0)) server.close();
});

const failureOf = async (socket: net.Socket) => (await once(socket, "error"))[0];
const event = {
  event: { event_id: "evt_1", type: "daily.data.sleep.created", team_id: "team", user_id: "user" },
  body: "{}",
} as unknown as BrokerEvent;

describe("a guarded client", () => {
  test("does not connect to a name that resolves to a private address", async () => {
    rebind();
    const seen = await inside();
    const open = async () => failureOf(tls.connect(seen.port, "hub.example.com", { servername: "hub.example.com" }));
    expect(await withGuardedSockets(PUBLIC, open)).toBeInstanceOf(EgressRefused);
    expect(seen).toMatchObject({ connections: 0, bytes: 0 });
  });

  test("sends nothing to a private address that it resolved itself", async () => {
    const seen = await inside();
    const open = async () => failureOf(tls.connect(seen.port, "127.0.0.1").on("secureConnect", () => undefined));
    expect(await withGuardedSockets(PUBLIC, open)).toBeInstanceOf(EgressRefused);
    expect(seen.bytes).toBe(0);
  });

  test("reaches the checked address, and other clients are not guarded", async () => {
    const seen = await inside();
    const open = async () => {
      const socket = net.connect(seen.port, "127.0.0.1");
      await once(socket, "connect");
      socket.end("hello");
      await once(socket, "close");
    };
    await withGuardedSockets("127.0.0.1", open);
    await withGuardedSockets(PUBLIC, async () => undefined);
    await open();
    await vi.waitFor(() => expect(seen).toMatchObject({ connections: 2, bytes: 10 }));
  });
});

describe("a name that resolves to a private address after the check", () => {
  test("receives nothing from the Event Hubs client", async () => {
    rebind();
    const seen = await inside(5671);
    const connection = "Endpoint=sb://hub.example.com/;SharedAccessKeyName=name;SharedAccessKey=a2V5";
    const failed = await sendToEventHub(connection, "auto", [{ ...event, hub: "hub" }]);
    expect(failed.size).toBe(1);
    expect(seen).toMatchObject({ connections: 0, bytes: 0 });
  });

  test("receives nothing from the Pub/Sub client", { tags: "deep" }, async () => {
    rebind();
    const seen = await inside(8443);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const private_key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const credentials = { client_email: "sender@example.com", private_key };
    const about = { project: "project-1", topic: "events", message_ordering: false, credentials };
    const failed = await sendToPubsub({ ...about, endpoint: "topic.example.com:8443" }, [event]);
    expect(failed.size).toBe(1);
    expect(seen.connections).toBeGreaterThan(0);
    expect(seen.bytes).toBe(0);
  });
});
