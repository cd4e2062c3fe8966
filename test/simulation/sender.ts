import type { TestService } from "../support/service.ts";
import type { PlannedPush } from "./plan-bursts.ts";

const RETRY_DELAY_MS = 1_000;
const PROVIDER = "apple_health_kit";

/** A value, and the time when the service accepted it. */
interface Sent {
  readonly atMs: number;
  readonly values: readonly number[];
}

/** Sends the planned requests, repeats each until the service accepts it, and tracks the expected final state. */
export class Sender {
  /** Number of responses with a server error. */
  serverErrors = 0;
  /** Number of requests that wait for a repetition. */
  pendingRequests = 0;
  readonly #service: TestService;
  readonly #key: string;
  readonly #userIds: readonly string[];
  readonly #last = new Map<string, Sent>();

  constructor(service: TestService, team: { readonly key: string; readonly userIds: readonly string[] }) {
    this.#service = service;
    this.#key = team.key;
    this.#userIds = team.userIds;
  }

  /** The values accepted last for each key. Of several at one instant, any may have won. */
  get expected(): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.#last].map(([key, { values }]) => [key, values]));
  }

  /** @throws Error if the service rejects a valid request. */
  async push(push: PlannedPush): Promise<void> {
    const { user, sourceType, resources } = push;
    const userId = this.#userIds[user] ?? "";
    const atMs = this.#service.cloud.clock.now();
    const body = { provider: PROVIDER, source_type: sourceType, resources };
    const answer = await this.#service.call("POST", `/v2/ingest/${userId}`, { body, key: this.#key });
    if (answer.status === 202) return this.#note(userId, push, atMs);
    if (answer.status < 500) throw new Error(`rejected: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.serverErrors += 1;
    this.pendingRequests += 1;
    this.#service.cloud.clock.at(atMs + RETRY_DELAY_MS, () => {
      this.pendingRequests -= 1;
      return this.push(push);
    });
  }

  #note(userId: string, { sourceType, resources }: PlannedPush, atMs: number): void {
    const values = new Map<string, number>();
    for (const [resource, records] of Object.entries(resources)) {
      for (const record of records) {
        const place = record.calendar_date ?? Date.parse(String(record.timestamp ?? record.start));
        const value = Number(record.value ?? record.steps ?? record.weight);
        values.set([userId, resource, PROVIDER, sourceType, place].join(" "), value);
      }
    }
    for (const [key, value] of values) {
      const last = this.#last.get(key);
      if (last && last.atMs > atMs) continue;
      this.#last.set(key, { atMs, values: last?.atMs === atMs ? [...last.values, value] : [value] });
    }
  }
}
