import { type WebhookEndpoint, webhookEndpoint } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { setPorts } from "../../lib/runtime/ports.ts";
import { VirtualTime } from "./cloud/virtual-time.ts";
import { Ingestion } from "./service/ingestion.ts";
import { RandomDraws } from "./service/random-draws.ts";
import { WebhookService } from "./service/webhook-service.ts";

const START_MS = Date.UTC(2029, 6, 1);
/** The bus brings half of the events to their queue within the first duration, and one in a hundred after 128 ms. */
const BUS_MS = 45;
const BUS_SPREAD = 0.45;
/** A receiver that works, and one that never answers: the attempt ends with its timeout. */
const ANSWER_MS = [50, 150] as const;
const HANGING = { durationMs: 15_000, status: 0 };
const USERS = 1_000;

/** What a team pushes: the type of its event, and the parts of a large batch. */
interface PushOptions {
  readonly type?: string;
  readonly parts?: number;
}

/** Times of an event: when it was pushed, when it was stored, and its first attempt (epoch ms). */
export interface EventTimes {
  readonly teamId: string;
  readonly pushedMs: number;
  storedMs?: number;
  attemptedMs?: number;
}

/** Teams, their endpoints and receivers, and the service that they share, in virtual time. */
export class NeighbourWorld {
  readonly startMs = START_MS;
  readonly time = new VirtualTime(START_MS);
  readonly random: RandomDraws;
  readonly ingestion: Ingestion;
  readonly service: WebhookService;
  readonly events = new Map<string, EventTimes>();
  /** Ids of endpoints that never answer. */
  readonly hanging = new Set<string>();
  #count = 0;

  constructor(seed: number) {
    // The arrivals are draws of their own, so a flood does not change those of the other teams.
    this.random = new RandomDraws(seed);
    const service = { time: this.time, random: new RandomDraws(seed + 1) };
    this.ingestion = new Ingestion(this.time, service.random);
    const answer = () => ({ durationMs: service.random.between(...ANSWER_MS), status: 204 });
    const receiver = (endpointId: string) => (this.hanging.has(endpointId) ? HANGING : answer());
    this.service = new WebhookService(service, receiver, (eventId) => this.#noteAttempt(eventId));
  }

  addEndpoint(teamId: string, types: readonly string[] = []): WebhookEndpoint {
    const endpoint_id = `endpoint-${this.#count++}`;
    const about = { url: "https://receiver.example/", description: "", filter_types: types, disabled: false };
    const times = { created_at: "", updated_at: "" };
    const endpoint = webhookEndpoint.parse({ endpoint_id, team_id: teamId, ...about, sealed_secret: "", ...times });
    this.service.endpoints.set(teamId, [...(this.service.endpoints.get(teamId) ?? []), endpoint]);
    return endpoint;
  }

  removeEndpoint({ team_id, endpoint_id }: WebhookEndpoint): void {
    const all = this.service.endpoints.get(team_id) ?? [];
    this.service.endpoints.set(
      team_id,
      all.filter((one) => one.endpoint_id !== endpoint_id),
    );
    this.hanging.delete(endpoint_id);
  }

  /** Pushes data of a user, which become an event once they are stored. */
  push(teamId: string, { type = "provider.connection.created", parts = 0 }: PushOptions = {}): void {
    const number = this.#count++;
    const times: EventTimes = { teamId, pushedMs: this.time.now() };
    this.events.set(`evt_${number}`, times);
    const user_id = `${teamId}-${number % USERS}`;
    const event = { team_id: teamId, user_id, event_id: `evt_${number}`, type, key: `key ${number}`, version: 1 };
    const publish = () => this.service.publish(event);
    const onStored = () => {
      times.storedMs = this.time.now();
      this.time.at(this.time.now() + this.random.skewed(BUS_MS, BUS_SPREAD), publish);
    };
    this.ingestion.send({ teamId, parts, onStored });
  }

  /** Pushes at random, at a mean rate, until an instant (epoch ms). */
  pushSteadily(teamId: string, perSecond: number, untilMs: number, random: RandomDraws): void {
    const next = () => {
      if (this.time.now() >= untilMs) return;
      this.push(teamId);
      this.time.at(this.time.now() + random.gapMs(perSecond), next);
    };
    this.time.at(this.time.now() + random.gapMs(perSecond), next);
  }

  /** Whether nothing waits any longer. */
  get isIdle(): boolean {
    const { queued, table } = this.service;
    return queued === 0 && this.ingestion.queued === 0 && table.openDeliveries === 0;
  }

  /** Runs work whose clocks show the virtual time. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { now } = performance;
    performance.now = () => this.time.now();
    try {
      return await work();
    } finally {
      performance.now = now;
      setPorts(undefined);
    }
  }

  #noteAttempt(eventId: string): void {
    const times = this.events.get(eventId);
    if (times) times.attemptedMs ??= this.time.now();
  }
}
