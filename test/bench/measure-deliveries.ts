import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type BenchPart, type BenchRow, rowAtLeast, rowUpTo } from "./bench-row.ts";
import type { RunningService } from "./running-service.ts";

const LATENCY_PUSHES = 500;
const SYNCS = 600;
const CONCURRENT_SENDERS = 8;
const EVENTS = 1_500;
/** Resources of one batch, each of which sends an event. */
const RESOURCES = ["heartrate", "hrv", "respiratory_rate", "blood_oxygen", "body_temperature"];
const START = Date.parse("2026-05-01T00:00:00Z");

/** A webhook receiver that responds at once, and notifies who waits for an arrival. */
class FastReceiver {
  received = 0;
  #expected = 0;
  #arrived: () => void = () => {};
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => {
      request.resume();
      request.once("end", () => {
        response.writeHead(204).end();
        this.received += 1;
        if (this.received >= this.#expected) this.#arrived();
      });
    });
  }

  static async start(): Promise<FastReceiver> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FastReceiver(server);
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("the receiver does not listen");
    return `http://127.0.0.1:${address.port}/hook`;
  }

  /** Waits until further webhooks have arrived. */
  arrivals(further: number): Promise<void> {
    this.#expected = this.received + further;
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const batchAt = (minute: number, resources: readonly string[]) => {
  const timestamp = new Date(START + minute * 300_000).toISOString();
  const data = Object.fromEntries(resources.map((name) => [name, [{ timestamp, value: 37 }]]));
  return { provider: "oura", source_type: "ring", resources: data };
};

/** Measures the way from a push to its webhook, through the running service and a receiver that responds at once. */
export async function measureDeliveries(service: RunningService): Promise<BenchPart> {
  const receiver = await FastReceiver.start();
  try {
    await service.createWebhook(receiver.url);
    const rows = [
      ...(await measureLatency(service, receiver)),
      await measureSyncs(service, receiver),
      await measureWebhooks(service, receiver),
    ];
    return { title: "From push to webhook, through `npm start`", rows };
  } finally {
    receiver.stop();
  }
}

const pushTo = (service: RunningService, user: string, minute: number, resources: readonly string[]) =>
  service.call("POST", `/v2/ingest/${user}`, batchAt(minute, resources));

/** Creates `count` users. */
async function createUsers(service: RunningService, count: number, name: string): Promise<string[]> {
  const users: string[] = [];
  for (let place = 0; place < count; place++) users.push(await service.createUser(`${name} ${place}`));
  return users;
}

/** Runs `work` for each number below `count`, {@link CONCURRENT_SENDERS} at a time. */
async function sendAll(count: number, work: (place: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const sender = async () => {
    for (let place = next++; place < count; place = next++) await work(place);
  };
  await Promise.all(Array.from({ length: CONCURRENT_SENDERS }, sender));
}

/** One push at a time: the time from the request to the arrival of its webhook. */
async function measureLatency(service: RunningService, receiver: FastReceiver): Promise<BenchRow[]> {
  const user = await service.createUser("deliveries");
  const times: number[] = [];
  for (let minute = 0; minute < LATENCY_PUSHES; minute++) {
    const startedAt = performance.now();
    await Promise.all([receiver.arrivals(1), pushTo(service, user, minute, ["heartrate"])]);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
  return [
    rowUpTo(`push to webhook, p50 of ${LATENCY_PUSHES}`, 40, percentile(0.5), Number.NaN, " ms"),
    rowUpTo(`push to webhook, p99 of ${LATENCY_PUSHES}`, 150, percentile(0.99), Number.NaN, " ms"),
  ];
}

/** Small syncs of many users, some at a time, until the webhook of each has arrived. */
async function measureSyncs(service: RunningService, receiver: FastReceiver): Promise<BenchRow> {
  const users = await createUsers(service, CONCURRENT_SENDERS * 4, "sync");
  const startedAt = performance.now();
  const all = receiver.arrivals(SYNCS);
  const push = (place: number) => pushTo(service, users[place % users.length] ?? "", place, ["heartrate"]);
  await Promise.all([all, sendAll(SYNCS, push)]);
  const rate = (1_000 * SYNCS) / (performance.now() - startedAt);
  return rowAtLeast(`small syncs a second, ${SYNCS} through to their webhooks`, 60, rate, Number.NaN);
}

/** Batches of several events each, every one of another user. */
async function measureWebhooks(service: RunningService, receiver: FastReceiver): Promise<BenchRow> {
  const users = await createUsers(service, EVENTS / RESOURCES.length, "webhooks");
  const startedAt = performance.now();
  const all = receiver.arrivals(EVENTS);
  await Promise.all([all, sendAll(users.length, (place) => pushTo(service, users[place] ?? "", place, RESOURCES))]);
  const rate = (1_000 * EVENTS) / (performance.now() - startedAt);
  const measure = `webhooks a second, ${EVENTS} events of ${users.length} users, ${RESOURCES.length} a batch`;
  return rowAtLeast(measure, 300, rate, Number.NaN);
}
