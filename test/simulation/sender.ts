import type { TestService } from "../support/service.ts";
import type { Push } from "./plan.ts";

const AGAIN_MS = 1_000;
const PROVIDER = "apple_health_kit";

/** A value that was sent, and when it was taken. */
interface Sent {
  readonly atMs: number;
  readonly values: readonly number[];
}

/** Sends what is planned, again and again until it is taken, and remembers what must be stored in the end. */
export class Sender {
  /** Requests that were answered with an error of the server. */
  refusals = 0;
  /** Requests that are to be repeated. */
  open = 0;
  readonly #service: TestService;
  readonly #key: string;
  readonly #userIds: readonly string[];
  readonly #last = new Map<string, Sent>();

  constructor(service: TestService, team: { readonly key: string; readonly userIds: readonly string[] }) {
    this.#service = service;
    this.#key = team.key;
    this.#userIds = team.userIds;
  }

  /** What was taken last for each key; where several were taken at one instant, any of them may have won. */
  get expected(): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.#last].map(([key, { values }]) => [key, values]));
  }

  /** @throws Error when the service refuses what it has to take. */
  async push(push: Push): Promise<void> {
    const { user, sourceType, resources } = push;
    const userId = this.#userIds[user] ?? "";
    const atMs = this.#service.cloud.clock.now();
    const body = { provider: PROVIDER, source_type: sourceType, resources };
    const answer = await this.#service.call("POST", `/v2/ingest/${userId}`, { body, key: this.#key });
    if (answer.status === 202) return this.#note(userId, push, atMs);
    if (answer.status < 500) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.refusals += 1;
    this.open += 1;
    this.#service.cloud.clock.at(atMs + AGAIN_MS, () => {
      this.open -= 1;
      return this.push(push);
    });
  }

  #note(userId: string, { sourceType, resources }: Push, atMs: number): void {
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
