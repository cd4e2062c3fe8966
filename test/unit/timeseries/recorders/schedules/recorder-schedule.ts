import type { BatchMessage } from "../../../../../lib/domain/ingest/batch.ts";
import type { UserRecord } from "../../../../../lib/domain/users/user.ts";
import type { SelectRequest } from "../../../ingest/derived-activity/request-interleaving.ts";
import { SeededRandom } from "../../../support/seeded-random.ts";
import { type Plan, PlanDrawer, type PlannedRequest } from "./plan.ts";
import { RecorderOracle } from "./recorder-oracle.ts";
import type { ScheduleFixture } from "./schedule-fixture.ts";
import { type Judgement, ScheduleVerdict } from "./schedule-verdict.ts";

/** Faults of one schedule, so that it comes to an end. */
const MOST_FAULTS = 8;
/** Rounds without faults in which every message must be consumed. A large batch has several messages. */
const MOST_ROUNDS = 6;

/** What one schedule did. */
export interface ScheduleResult extends Judgement {
  readonly requests: number;
  deliveries: number;
  kills: number;
  failures: number;
}

/**
 * One schedule: recorders send, resend, correct and delete samples of the same instants. Their batches are stored in a
 * random order, concurrently and repeatedly, and the function that stores them fails and dies, all from one seed.
 * One schedule in four is calm: its batches are stored in order of receipt, so that counts and events are exact.
 */
export class RecorderSchedule {
  readonly isCalm: boolean;
  readonly #stage: ScheduleFixture;
  readonly #random: SeededRandom;
  readonly #seed: number;
  readonly #plan: Plan;
  readonly #oracle = new RecorderOracle();
  readonly #consumed: BatchMessage[] = [];
  readonly #done = { deliveries: 0, kills: 0, failures: 0 };
  #users: readonly UserRecord[] = [];
  #faults = MOST_FAULTS;

  constructor(seed: number, stage: ScheduleFixture) {
    this.#seed = seed;
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.isCalm = this.#random.isWithinPercent(25);
    this.#plan = new PlanDrawer(seed, this.#random).draw();
    if (this.#random.isWithinPercent(20)) this.#faults = 0;
  }

  async run(): Promise<ScheduleResult> {
    const sendsHistory = this.#random.isWithinPercent(50);
    const scope = await this.#stage.begin(`7ea70000-0000-4000-8000-${digits(this.#seed)}`, sendsHistory);
    const ids = Array.from({ length: this.#plan.users }, (_, place) => userId(this.#seed, place));
    this.#users = await Promise.all(ids.map((id) => this.#stage.createUser(scope, id)));
    for (let next = 0; next < this.#plan.requests.length; ) {
      const count = this.isCalm ? 1 : 2 + this.#random.integerBelow(4);
      for (const request of this.#plan.requests.slice(next, next + count)) await this.#send(request);
      next += count;
      if (this.isCalm) await this.#consumeAll();
      else await this.#store(this.#drawMessages());
    }
    await this.#consumeAll();
    const verdict = new ScheduleVerdict(this.#stage, this.#users, this.#oracle);
    const judged = await verdict.judge({ isCalm: this.isCalm, sendsHistory, random: this.#random });
    return { ...judged, ...this.#done, requests: this.#plan.requests.length };
  }

  async #send(request: PlannedRequest): Promise<void> {
    const user = this.#users[request.user]!;
    // Of one millisecond the receipt ids decide the order, which is not the order of a calm schedule.
    this.#stage.nowMs += this.isCalm ? Math.max(1, request.waitMs) : request.waitMs;
    const bytes = Buffer.from(Array.from({ length: 8 }, () => this.#random.integerBelow(256)));
    const receiptId = await this.#stage.send(user, request, bytes);
    this.#oracle.receive({ userId: user.user_id, request, receivedAt: this.#stage.nowMs, receiptId });
  }

  /** Some waiting messages, and some that were consumed before, in random order. */
  #drawMessages(): BatchMessage[] {
    const waiting = this.#stage.queue.filter(() => this.#random.isWithinPercent(70));
    const again = [...this.#consumed, ...waiting].filter(() => this.#random.isWithinPercent(12));
    return this.#shuffle([...waiting, ...again]);
  }

  /** Delivers until no message is left: first with faults, then without. */
  async #consumeAll(): Promise<void> {
    const faults = this.#faults;
    for (let round = 1; this.#stage.queue.length > 0; round++) {
      if (round > MOST_ROUNDS) throw new Error(`a batch is never stored: ${this.#stage.log.at(-1)}`);
      if (round === 2) this.#faults = 0;
      await this.#store(this.#shuffle(this.#stage.queue));
    }
    if (this.isCalm) this.#faults = faults;
    const again = this.#consumed.filter(() => this.#random.isWithinPercent(10));
    if (this.isCalm) for (const message of again) await this.#store([message]);
  }

  /** Delivers messages concurrently. Consumed ones leave the queue. */
  async #store(messages: readonly BatchMessage[]): Promise<void> {
    const { queue, interleaving, mortality } = this.#stage;
    const tasks = messages.map((message, place) => {
      const name = `${place} ${message.receipt_id}`;
      const deliver = async () => {
        this.#done.deliveries++;
        if (!(await mortality.live(name, () => this.#stage.deliver(message)))) return;
        const place = queue.indexOf(message);
        if (place >= 0) this.#consumed.push(...queue.splice(place, 1));
      };
      return [name, deliver] as const;
    });
    await interleaving.run(Object.fromEntries(tasks), this.#drawTurns());
  }

  /** Lets one function run far ahead of another, and draws faults. */
  #drawTurns(): SelectRequest {
    const sameAgainPercent = this.#random.integerBelow(100);
    let last = "";
    return (waiting) => {
      const same = waiting.filter(({ task }) => task === last);
      const goesOn = same.length > 0 && this.#random.isWithinPercent(sameAgainPercent);
      const next = this.#random.pick(goesOn ? same : waiting);
      last = next.task;
      if (this.#faults === 0 || !this.#random.isWithinPercent(6)) return { next };
      this.#faults--;
      const isKilled = this.#random.isWithinPercent(70);
      this.#done[isKilled ? "kills" : "failures"]++;
      if (isKilled) this.#stage.mortality.kill(next.task);
      return { next, fault: this.#random.isWithinPercent(50) ? "request lost" : "answer lost" };
    };
  }

  #shuffle<T>(all: readonly T[]): T[] {
    const left = [...all];
    return all.map(() => left.splice(this.#random.integerBelow(left.length), 1)[0]!);
  }
}

const digits = (seed: number) => String(seed).padStart(12, "0");
const userId = (seed: number, place: number) => `7ea70000-0000-4000-900${place}-${digits(seed)}`;
