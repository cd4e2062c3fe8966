import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { DeliveryRecords } from "../local/service/webhooks/delivery-records.ts";
import type { TestService } from "../support/service.ts";
import { createKeyedRandom, type KeyedRandom } from "./keyed-random.ts";
import {
  addSimulatedTeam,
  SIMULATION_START_MS,
  startSimulatedService,
  stopSimulatedService,
} from "./simulated-service.ts";
import { readStoredEvents } from "./stored-data.ts";

/** Options of the simulation. */
export interface OutageOptions {
  readonly seed: number;
  /** Number of events that wait for the endpoint that is down. */
  readonly events: number;
  /** Number of days of the outage. */
  readonly days: number;
  /** Number of endpoints of other teams. */
  readonly otherTeams: number;
  /** Receives the number of waiting events. */
  readonly onProgress?: (waiting: number) => void;
}

/** Results; times are virtual. */
export interface OutageResult {
  readonly seed: number;
  readonly waiting: number;
  /** Maximum number of attempts that a delivery spent of its retry schedule before the recovery. */
  readonly attemptsUsed: number;
  /** Requests to the endpoint during the outage: attempts until its suspension, and probes. */
  readonly requestsWhileDown: number;
  /** Minutes from the recovery to the last delivery; infinite if an event was never delivered. */
  readonly minutesToRecover: number;
  /** Seconds from event to delivery at the other endpoints, 99th percentile, with an outage and without. */
  readonly otherTeamsP99S: { readonly with: number; readonly without: number };
  readonly otherTeamsEvents: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVENTS_PER_PUSH = 100;
/** Failure rate of requests to the other endpoints, so that their latency is above zero. */
const FAILURE_RATE = 0.1;
const PUSHES_PER_OTHER_TEAM = 12;

/** A receiver that records when it accepts each event. */
class TimedReceiver {
  /** When the receiver first accepted each event, by id. */
  readonly taken = new Map<string, number>();
  requests = 0;
  isDown = false;
  readonly url: string;
  readonly #server: Server;
  readonly #seen = new Map<string, { readonly event: number; readonly attempts: number }>();

  static async start({ cloud }: TestService, fails: (about: string) => boolean): Promise<TimedReceiver> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const receiver = new TimedReceiver(server, `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`);
    server.on("request", (request, response) => {
      receiver.requests += 1;
      const id = String(request.headers["webhook-id"]);
      const isTaken = !receiver.isDown && !fails(receiver.#placeOf(id));
      if (isTaken && !receiver.taken.has(id)) receiver.taken.set(id, cloud.clock.now());
      request.resume().on("end", () => response.writeHead(isTaken ? 204 : 503).end());
    });
    return receiver;
  }

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** The index of an event in its phase, and of its attempt, so that both phases get the same errors. */
  #placeOf(id: string): string {
    const { event, attempts } = this.#seen.get(id) ?? { event: this.#seen.size % PUSHES_PER_OTHER_TEAM, attempts: 0 };
    this.#seen.set(id, { event, attempts: attempts + 1 });
    return `${event} ${attempts}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

type Team = Awaited<ReturnType<typeof addSimulatedTeam>>;

/** Sends summaries of `count` days. Each creates an event with its own ordering key. */
async function pushDays(service: TestService, { key, userIds }: Team, first: number, count: number): Promise<void> {
  const activity = Array.from({ length: count }, (_, day) => ({
    calendar_date: new Date(Date.UTC(1990, 0, 1 + first + day)).toISOString().slice(0, 10),
  }));
  const body = { provider: "apple_health_kit", source_type: "watch", resources: { activity } };
  const answer = await service.call("POST", `/v2/ingest/${userIds[0]}`, { body, key });
  if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/**
 * Measures the 99th percentile of seconds from event to delivery, at teams that send from time to time while the clock
 * runs by itself.
 */
async function measureLatencies(
  service: TestService,
  teams: readonly Team[],
  receivers: readonly TimedReceiver[],
  days: number,
) {
  const { clock } = service.cloud;
  const begin = clock.now();
  const before = new Set(receivers.flatMap(({ taken }) => [...taken.keys()]));
  for (let push = 0; push < PUSHES_PER_OTHER_TEAM; push++) {
    const first = before.size + push;
    clock.at(begin + ((push + 0.5) * days * DAY_MS) / PUSHES_PER_OTHER_TEAM, async () => {
      for (const team of teams) await pushDays(service, team, first, 1);
    });
  }
  await service.advance(days * DAY_MS);
  const { events } = await readStoredEvents(service);
  const createdAt = new Map(events.map(({ event_id, created_at }) => [event_id, Date.parse(created_at)]));
  const all = receivers.flatMap(({ taken }) => [...taken].filter(([id]) => !before.has(id)));
  const times = all.map(([id, at]) => (at - (createdAt.get(id) ?? Number.NaN)) / 1_000).sort((a, b) => a - b);
  return { count: times.length, p99S: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN };
}

/**
 * Takes one endpoint down for days while events wait for it, and compares other endpoints before and during the outage.
 */
export async function simulateOutage(options: OutageOptions): Promise<OutageResult> {
  const service = await startSimulatedService(options.seed);
  const random = createKeyedRandom(options.seed);
  const down = await TimedReceiver.start(service, () => false);
  const others = await startOthers(service, options.otherTeams, random);
  try {
    const team = await addSimulatedTeam(service, "Down", down.url, 1);
    const teams = await Promise.all(
      others.map(({ url }, place) => addSimulatedTeam(service, `Other ${place}`, url, 1)),
    );
    await service.advance(SIMULATION_START_MS - service.cloud.clock.now());
    const without = await measureLatencies(service, teams, others, options.days);
    down.isDown = true;
    for (let first = 0; first < options.events; first += EVENTS_PER_PUSH) {
      await pushDays(service, team, first, Math.min(EVENTS_PER_PUSH, options.events - first));
      await service.settle();
      options.onProgress?.(first);
    }
    const beside = await measureLatencies(service, teams, others, options.days);
    const requestsWhileDown = down.requests;
    const attemptsUsed = await maxAttempts(service, team);
    down.isDown = false;
    const recoveredMs = service.cloud.clock.now();
    await service.advance(2 * HOUR_MS);
    const last = down.taken.size < options.events ? Number.POSITIVE_INFINITY : Math.max(...down.taken.values());
    return {
      seed: options.seed,
      waiting: options.events,
      attemptsUsed,
      requestsWhileDown,
      minutesToRecover: (last - recoveredMs) / 60_000,
      otherTeamsP99S: { with: beside.p99S, without: without.p99S },
      otherTeamsEvents: beside.count,
    };
  } finally {
    await Promise.all([down, ...others].map((receiver) => receiver.stop()));
    await stopSimulatedService(service);
  }
}

const startOthers = (service: TestService, count: number, random: KeyedRandom) =>
  Promise.all(
    Array.from({ length: count }, (_, place) =>
      TimedReceiver.start(service, (about) => random(`other ${place} ${about}`) < FAILURE_RATE),
    ),
  );

async function maxAttempts(service: TestService, { key, userIds }: Team): Promise<number> {
  const records = new DeliveryRecords(service);
  const userId = userIds[0] ?? "";
  const endpoint = await records.endpoint(userId, key);
  const { events } = await readStoredEvents(service);
  let most = 0;
  for (const { event_id } of events.filter(({ team_id }) => team_id === endpoint.team_id)) {
    const { attempts } = await records.delivery(endpoint, userId, event_id);
    most = Math.max(most, attempts.filter(({ probe }) => !probe).length);
  }
  records.stop();
  return most;
}
