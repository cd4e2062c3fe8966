import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { ClientRequest } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { WebhookEndpoint } from "../../../../lib/events/webhooks/webhook-endpoint.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { WebhookEndpointStore } from "../../../../lib/store/webhooks/webhook-endpoints.ts";
import { createSelfSignedCertificate } from "../../../support/self-signed-certificate.ts";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { type ConnectionBehavior, connectionBehaviors, retryAfterBehaviors } from "./receiver-behaviors.ts";
import { RECEIVER_SECRET } from "./webhook-receiver.ts";

const TIMEOUT_MS = 15_000;
/** The time limit of an attempt passes faster in this file. */
const FAST_TIMEOUT_MS = 3_000;
/** Limits on the body and headers that the sender reads, and on one socket read. */
const MOST_READ_BYTES = 16_384 + 16_384 + 65_536;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

let service: TestService;
let records: DeliveryRecords;
let team: { readonly teamId: string; readonly key: string };
let userId: string;
let eventId: string;
/** Instants of the attempts. */
let sentAtMs: number;
const endpoints = new Map<string, WebhookEndpoint>();
const servers: Server[] = [];
const sockets = new Set<Socket>();
const crashes: unknown[] = [];
/** Connections of the sender to receivers outside of the local cloud. */
const sending: Socket[] = [];
const limits: number[] = [];
let isTame = false;

const noteCrash = (error: unknown) => void crashes.push(error);
const noteRequest = (message: unknown): void => {
  const { request } = message as { request: ClientRequest };
  if (request.getHeader("webhook-id") !== undefined) request.once("socket", (socket) => sending.push(socket));
};

/** Starts a receiver that behaves well once `isTame` is set. @returns its port. */
async function keep({ onConnection, onRequest }: ConnectionBehavior): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => undefined));
    if (!isTame) onConnection?.(socket);
    socket.once("data", () => (isTame ? socket.end("HTTP/1.1 204 No Content\r\n\r\n") : onRequest?.(socket)));
    socket.on("end", () => socket.end());
  });
  return listen(server);
}

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Starts a server with its own certificate. */
async function keepWithCertificate(fromMs: number, untilMs: number): Promise<number> {
  const pair = createSelfSignedCertificate("127.0.0.1", new Date(fromMs), new Date(untilMs));
  const server = createTlsServer(pair, (socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
  server.on("tlsClientError", () => undefined);
  return listen(server);
}

async function endpointAt(name: string, url: string): Promise<void> {
  const path = `/v1/org/${service.identity.org_id}/team/${team.teamId}/sandbox/webhook`;
  // Each endpoint has a port of its own, because a team has a limit for each host.
  const free = `http://127.0.0.1:${10_000 + endpoints.size}/`;
  const made = await service.manage("POST", path, { body: { url: free, secret: RECEIVER_SECRET } });
  const store = new WebhookEndpointStore(records.table);
  const endpoint = await store.get(TeamScope.grant(team.teamId), made.body.id);
  if (!endpoint) throw new Error(`no endpoint: ${JSON.stringify(made.body)}`);
  await records.change(endpoint, { url });
  // Endpoints not known to be prompt would share few slots, and their attempts would wait.
  await records.health.recordDuration(endpoint, 100, service.cloud.clock.now(), endpoint);
  endpoints.set(name, endpoint);
}

const unreachable = [
  "refuses connections",
  "has no address",
  "does not support TLS",
  "has an expired certificate",
  "has a self-signed certificate",
];

async function unreachableUrls(): Promise<string[]> {
  const now = Date.now();
  const closed = createServer();
  const refusing = await listen(closed);
  closed.close();
  const plain = await keep({ status: 0 });
  const expired = await keepWithCertificate(now - 2 * YEAR_MS, now - YEAR_MS);
  const own = await keepWithCertificate(now - YEAR_MS, now + YEAR_MS);
  return [
    `http://127.0.0.1:${refusing}/`,
    "https://no-such-host.invalid/",
    ...[plain, expired, own].map((port) => `https://127.0.0.1:${port}/`),
  ];
}

const delivery = (name: string) => {
  const endpoint = endpoints.get(name);
  if (!endpoint) throw new Error(`no endpoint ${name}`);
  return records.delivery(endpoint, userId, eventId);
};

/** The delivery after its first attempt at each receiver. */
const first = new Map<string, Awaited<ReturnType<typeof delivery>>>();
const firstAt = (name: string) => {
  const found = first.get(name);
  if (!found) throw new Error(`no delivery at ${name}`);
  return found;
};

async function sendAll(): Promise<void> {
  const resources = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };
  const { event_ids } = await ingestBatch(service, userId, resources, { key: team.key });
  eventId = event_ids[0];
  for (const name of endpoints.keys()) first.set(name, await delivery(name));
}

beforeAll(async () => {
  service = await TestService.start();
  records = new DeliveryRecords(service);
  process.on("uncaughtException", noteCrash).on("unhandledRejection", noteCrash);
  subscribe("http.client.request.created", noteRequest);
  const inTime = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    limits.push(ms);
    return inTime(ms === TIMEOUT_MS ? FAST_TIMEOUT_MS : ms);
  });
  team = await service.createTeam("Zoo");
  userId = await service.createUser("the user", team.key);
  const asking = Object.entries(retryAfterBehaviors).map(([name, { animal }]) => [name, animal] as const);
  for (const [name, animal] of [...Object.entries(connectionBehaviors), ...asking, ["gone", gone] as const])
    await endpointAt(name, `http://127.0.0.1:${await keep(animal)}/hook`);
  for (const [place, url] of (await unreachableUrls()).entries()) await endpointAt(unreachable[place] ?? "", url);
  sentAtMs = service.cloud.clock.now() + 1_000;
  // Time stands still in a timer of the clock, so the first attempts are read before a second one starts.
  service.cloud.clock.at(sentAtMs, sendAll);
  await service.advance(1_000);
});
afterAll(async () => {
  vi.restoreAllMocks();
  unsubscribe("http.client.request.created", noteRequest);
  process.off("uncaughtException", noteCrash).off("unhandledRejection", noteCrash);
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  records.stop();
  await service.stop();
});

const gone: ConnectionBehavior = { onRequest: (socket) => void socket.end("HTTP/1.1 410 Gone\r\n\r\n"), status: 410 };
const isTaken = ({ status }: ConnectionBehavior) => status >= 200 && status < 300;

describe("a receiver that", () => {
  test.each(Object.entries(connectionBehaviors))("%s gets one attempt with a recorded outcome", (name, animal) => {
    const { state, attempts, next_attempt_at } = firstAt(name);
    const { status, error = null, response = "" } = animal;
    expect(attempts).toMatchObject([{ status, error }]);
    expect(attempts[0]?.response.startsWith(response)).toBe(true);
    expect(attempts[0]?.response.length).toBeLessThanOrEqual(1024);
    expect(state).toBe(isTaken(animal) ? "delivered" : "pending");
    // An unknown outcome delays the next attempt by a minute; a definite failure follows the schedule.
    const delayMs = Date.parse(next_attempt_at) - Date.parse(attempts[0]?.at ?? "");
    if (!isTaken(animal)) expect(delayMs).toBeGreaterThanOrEqual(error === null ? 5_000 : 60_000);
    if (!isTaken(animal) && error === null) expect(delayMs).toBeLessThan(60_000);
  });

  test.each(Object.entries(retryAfterBehaviors))(
    "%s gets no request for that time, at most a day",
    (name, { leftAloneS }) => {
      const { state, next_attempt_at, attempts } = firstAt(name);
      expect([state, attempts.length]).toEqual(["pending", 1]);
      const delayS = (Date.parse(next_attempt_at) - Date.parse(attempts[0]?.at ?? "")) / 1_000;
      expect(delayS).toBeGreaterThanOrEqual(leftAloneS);
      expect(delayS).toBeLessThan(leftAloneS + 30);
    },
  );

  test.each(unreachable)("%s is sent nothing", (name) => {
    const { state, attempts } = firstAt(name);
    expect(attempts).toMatchObject([{ status: 0, error: "unreachable", response: "" }]);
    expect(state).toBe("pending");
  });

  test("answers 410 is disabled at once, and no other receiver is", async () => {
    expect(firstAt("gone")).toMatchObject({ state: "cancelled", reason: "gone" });
    const stored = await new WebhookEndpointStore(records.table).list(TeamScope.grant(team.teamId));
    const disabled = stored.filter((endpoint) => endpoint.disabled);
    expect(disabled.map(({ endpoint_id }) => endpoint_id)).toEqual([endpoints.get("gone")?.endpoint_id]);
  });
});

describe("whatever receivers do, the sender", () => {
  test("limits every attempt to fifteen seconds", () => {
    expect(limits.filter((ms) => ms === TIMEOUT_MS).length).toBeGreaterThanOrEqual(endpoints.size);
  });

  test("closes every connection, and reads little of a response", async () => {
    await vi.waitFor(() => expect(sending.filter(({ destroyed }) => !destroyed)).toEqual([]), 10_000);
    expect(sending.length).toBeGreaterThan(Object.keys(connectionBehaviors).length);
    expect(Math.max(...sending.map(({ bytesRead }) => bytesRead))).toBeLessThan(MOST_READ_BYTES);
    await vi.waitFor(() => expect(sockets.size).toBe(0), 10_000);
  });

  test("does not crash, and leaves no dead letter", async () => {
    expect(crashes).toEqual([]);
    const { dead_letters } = (await service.call("GET", "/_local/resources")).body;
    expect(dead_letters.filter(({ visible }: { visible: number }) => visible > 0)).toEqual([]);
  });

  test("delivers to each receiver once it behaves well", { tags: "deep", timeout: 180_000 }, async () => {
    isTame = true;
    await service.advance(sentAtMs + 1.1 * DAY_MS - service.cloud.clock.now());
    const names = [...Object.keys(connectionBehaviors), ...Object.keys(retryAfterBehaviors)];
    const states = await Promise.all(names.map(async (name) => [name, (await delivery(name)).state]));
    expect(states.filter(([, state]) => state !== "delivered")).toEqual([]);
  });
});
