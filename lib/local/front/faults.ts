import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { AwsError } from "./aws-error.ts";

/** What a fault may strike: the services behind the front, and `http` for other calls out of functions. */
export const faultService = z.enum(["dynamodb", "sqs", "events", "states", "kms", "s3", "http"]);

/**
 * One fault to inject.
 * - `service`, `function`: which calls it may strike; all when left out.
 * - `mode`: `fail_before` answers 500 and nothing happened, `fail_after` answers 500 though it happened (a lost reply),
 *   `delay` answers `delay_ms` (real milliseconds) later.
 * - `probability`, `seed`: strikes by chance, the same chance again for the same seed and order of calls.
 * - `at_call`: strikes exactly the n-th call (from 1) of each function since the fault was added, and only its first
 *   attempt; with `every_attempt` also the SDK's retries of that call, so that the error reaches the function.
 */
export const faultRule = z.strictObject({
  service: faultService.optional(),
  function: z.string().optional(),
  mode: z.enum(["fail_before", "fail_after", "delay"]),
  probability: z.number().min(0).max(1).default(1),
  seed: z.int().default(1),
  at_call: z.int().positive().optional(),
  every_attempt: z.boolean().default(false),
  delay_ms: z.int().nonnegative().default(200),
});

/** A fault with its defaults filled in. */
export type FaultRule = z.output<typeof faultRule>;

/** One attempt of a call that may be struck. */
export interface FaultTarget {
  readonly service: z.output<typeof faultService>;
  /** Physical name of the calling function. */
  readonly function: string;
  /** The same for all attempts of one SDK call (header `amz-sdk-invocation-id`); without it each attempt is a call. */
  readonly callId?: string | undefined;
}

/** The faults in force. */
export class Faults {
  #active: ActiveFault[] = [];

  /** Adds a fault to those in force. @throws ZodError */
  add(rule: z.input<typeof faultRule>): void {
    this.#active.push(new ActiveFault(faultRule.parse(rule)));
  }

  /** Ends all faults. */
  clear(): void {
    this.#active = [];
  }

  /** The faults in force and how many attempts each has struck. */
  list(): (FaultRule & { struck: number })[] {
    return this.#active.map(({ rule, struck }) => ({ ...rule, struck }));
  }

  /**
   * Runs a call under the faults in force.
   * @throws AwsError 500 InternalServerError when a fault makes it fail; SDK clients retry that.
   */
  async run<T>(target: FaultTarget, call: () => Promise<T>): Promise<T> {
    const struck = this.#active.filter((fault) => fault.strikes(target)).map(({ rule }) => rule);
    for (const { mode, delay_ms } of struck) if (mode === "delay") await sleep(delay_ms);
    if (struck.some(({ mode }) => mode === "fail_before")) throw injected();
    const outcome = call();
    if (!struck.some(({ mode }) => mode === "fail_after")) return outcome;
    await outcome.catch(() => undefined);
    throw injected();
  }
}

class ActiveFault {
  readonly rule: FaultRule;
  struck = 0;
  readonly #random: () => number;
  /** Calls seen, by function: id -> index from 1. */
  readonly #calls = new Map<string, Map<unknown, number>>();

  constructor(rule: FaultRule) {
    this.rule = rule;
    this.#random = seededRandom(rule.seed);
  }

  strikes(target: FaultTarget): boolean {
    const { service, function: name, probability } = this.rule;
    if ((service ?? target.service) !== target.service || (name ?? target.function) !== target.function) return false;
    const strikes = this.#isItsTurn(target) && this.#random() < probability;
    if (strikes) this.struck += 1;
    return strikes;
  }

  #isItsTurn({ function: name, ...target }: FaultTarget): boolean {
    const { at_call, every_attempt } = this.rule;
    const callId = target.callId ?? Symbol("call");
    if (at_call === undefined) return true;
    const calls = this.#calls.get(name) ?? new Map<unknown, number>();
    this.#calls.set(name, calls);
    const isFirstAttempt = !calls.has(callId);
    if (isFirstAttempt) calls.set(callId, calls.size + 1);
    return calls.get(callId) === at_call && (isFirstAttempt || every_attempt);
  }
}

function injected(): AwsError {
  return new AwsError(500, "InternalServerError", "a fault was injected here");
}

/** Numbers in [0, 1) that are the same for the same seed (the mulberry32 generator). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
