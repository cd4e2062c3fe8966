import type { UserRecord } from "../../../../../lib/domain/users/user.ts";
import { SeededRandom } from "../../../support/seeded-random.ts";
import { compareReadings, sentContents } from "./compare-readings.ts";
import { PlanDrawer, type PlannedRequest } from "./plan.ts";
import { drillResources } from "./reading.ts";
import { RecorderOracle } from "./recorder-oracle.ts";
import type { ScheduleFixture } from "./schedule-fixture.ts";
import { readPage, readPages } from "./shown-readings.ts";

/** Messages that the consumer stores at once. */
const AT_ONCE = 3;

/** One set of requests with fixed receipts, stored again and again in another order. */
export class ShuffledRequests {
  readonly #stage: ScheduleFixture;
  readonly #random: SeededRandom;
  readonly #seed: number;
  readonly #requests: readonly PlannedRequest[];
  readonly #oracle = new RecorderOracle();

  constructor(seed: number, stage: ScheduleFixture) {
    this.#seed = seed;
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.#requests = new PlanDrawer(seed, this.#random).draw().requests.map((request) => ({ ...request, user: 0 }));
  }

  /** Stores the requests in so many orders. @returns each order whose pages differ from the first. */
  async run(ways: number): Promise<string[]> {
    const digits = String(this.#seed).padStart(12, "0");
    const scope = await this.#stage.begin(`7ea70000-0000-4000-b000-${digits}`, false);
    const user = await this.#stage.createUser(scope, `7ea70000-0000-4000-a000-${digits}`);
    const startMs = this.#stage.nowMs;
    const first = await this.#store(user, startMs);
    const expected = this.#oracle.samplesAt();
    const broken = compareReadings(await readPages(this.#stage, user), expected, sentContents(this.#oracle.received));
    for (let way = 2; way <= ways; way++) {
      await this.#stage.forget(user);
      const pages = await this.#store(user, startMs);
      if (pages !== first) broken.push(`order ${way} reads ${pages} instead of ${first}`);
    }
    return broken;
  }

  /** Stores all requests in a random order, some twice. @returns the text of all pages. */
  async #store(user: UserRecord, startMs: number): Promise<string> {
    const { queue } = this.#stage;
    queue.length = 0;
    const isFirst = this.#oracle.received.length === 0;
    this.#stage.nowMs = startMs;
    for (const [place, request] of this.#requests.entries()) {
      this.#stage.nowMs += request.waitMs;
      const receiptId = await this.#stage.send(user, request, Buffer.alloc(8, place + 1));
      const one = { userId: user.user_id, request, receivedAt: this.#stage.nowMs, receiptId };
      if (isFirst) this.#oracle.receive(one);
    }
    while (queue.length > 0) {
      const own = Array.from({ length: AT_ONCE }, () => this.#random.pick(queue));
      const consumed = await Promise.all(own.map((message) => this.#stage.deliver(message)));
      for (const [place, message] of own.entries())
        if (consumed[place] && this.#random.isWithinPercent(80) && queue.includes(message))
          queue.splice(queue.indexOf(message), 1);
    }
    const pages: string[] = [];
    for (const resource of drillResources) pages.push(await readPage(this.#stage, user, resource));
    return pages.join("\n");
  }
}
