import type { AttemptResult } from "../../../lib/services/webhooks/post-webhook.ts";
import type { SeededRandom } from "../../unit/support/seeded-random.ts";
import type { StepScheduler } from "../../unit/support/step-scheduler.ts";
import type { Work } from "./turns-explained.ts";

/** Ticks of an attempt and of the quarantine after it. */
const [ATTEMPT, QUARANTINE] = [3, 12];
/** Failed requests of a run at most: with more, an attempt would come hours later. */
const MAX_FAILURES = 2;

/** A request under way. */
interface Request {
  readonly work: Work | undefined;
  readonly delivery: number;
  /** Ticks since its begin, and how many it may still take effect. */
  ticks: number;
  left: number;
  isOpen: boolean;
  isApplied: boolean;
}

/** A receiver that accepts, rejects or never answers requests, and may apply a request at any time until its end. */
export class TurnsReceiver {
  /** The highest number of a request that took effect. */
  received = 0;
  readonly #random: SeededRandom;
  readonly #turns: StepScheduler;
  readonly #record: (text: string, rules: readonly string[]) => void;
  readonly #requests = new Map<number, Request>();
  readonly #failures = new Map<number, number>();
  #hasTakenEffect = false;

  /** @param record records an effect. */
  constructor(random: SeededRandom, turns: StepScheduler, record: (text: string, rules: readonly string[]) => void) {
    this.#random = random;
    this.#turns = turns;
    this.#record = record;
  }

  /** Whether an answer comes before more time passes. */
  get isLate(): boolean {
    const most = (delivery: number) => (this.mustTake(delivery) ? ATTEMPT - 1 : ATTEMPT);
    return [...this.#requests.values()].some(({ isOpen, ticks, delivery }) => isOpen && ticks >= most(delivery));
  }

  begin(number: number, delivery: number, work: Work | undefined): void {
    const request: Request = { work, delivery, ticks: 0, left: ATTEMPT + QUARANTINE, isOpen: true, isApplied: false };
    this.#requests.set(number, request);
    if (!this.#random.isWithinPercent(40)) return;
    const apply = async () => {
      this.#apply(number, request);
      this.#record(`request ${number}`, ["a request takes effect"]);
    };
    this.#turns.add(`late request ${number}`, apply, () => request.left > 0 && !request.isApplied);
  }

  tick(): void {
    for (const request of this.#requests.values()) {
      request.ticks++;
      request.left = Math.max(0, request.left - 1);
    }
  }

  answer(number: number): Omit<AttemptResult, "durationMs"> {
    const request = this.#requests.get(number);
    if (!request) throw new Error(`no request ${number}`);
    const answer = { status: 0, response: "", error: null } as const;
    const isFailed = !this.mustTake(request.delivery) && this.#random.isWithinPercent(40);
    if (request.ticks >= ATTEMPT || (isFailed && (request.isApplied || this.#random.isWithinPercent(40)))) {
      this.#fail(request);
      return { ...answer, error: this.#random.pick(["timeout", "broken"] as const) };
    }
    if (!isFailed) {
      this.#hasTakenEffect = !request.isApplied;
      if (!request.isApplied) this.#apply(number, request);
      return { ...answer, status: 204 };
    }
    this.#fail(request);
    request.left = 0;
    return this.#random.isWithinPercent(40) ? { ...answer, status: 503, retryAfter: "10" } : { ...answer, status: 500 };
  }

  /** A worker has its answer, or does not wait for it any more. */
  end(work: Work, isLost: boolean): void {
    for (const request of this.#requests.values()) {
      if (request.work !== work || !request.isOpen) continue;
      request.isOpen = false;
      if (work.isFailed) continue;
      request.left = Math.min(request.left, QUARANTINE);
      if (isLost) this.#fail(request);
    }
  }

  /** Whether a request took effect in the step of its answer. */
  takeEffect(): boolean {
    const hasTakenEffect = this.#hasTakenEffect;
    this.#hasTakenEffect = false;
    return hasTakenEffect;
  }

  /** Whether a delivery has failed often enough. */
  mustTake(delivery: number): boolean {
    return (this.#failures.get(delivery) ?? 0) >= MAX_FAILURES;
  }

  /** Whether the delivery of a worker's request has failed often enough. */
  mustAnswer(work: Work | undefined): boolean {
    return [...this.#requests.values()].some((one) => one.isOpen && one.work === work && this.mustTake(one.delivery));
  }

  #fail({ delivery }: Request): void {
    this.#failures.set(delivery, (this.#failures.get(delivery) ?? 0) + 1);
  }

  #apply(number: number, request: Request): void {
    request.isApplied = true;
    request.left = 0;
    this.received = Math.max(this.received, number);
  }
}
