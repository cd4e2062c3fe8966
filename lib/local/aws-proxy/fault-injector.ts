import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { AwsError } from "./aws-error.ts";

/** Services whose calls can fail: the AWS services, and `http` for other outbound calls of functions. */
const faultService = z.enum(["dynamodb", "sqs", "events", "states", "kms", "secretsmanager", "sts", "s3", "http"]);

/** The longest delay that a timer of Node takes, about 24.8 days; it ends longer ones at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * A fault to inject.
 * - `service`, `function`: limit the fault to calls of a service or function. All calls by default.
 * - `mode`: `fail_before` returns 500 without running the call, `fail_after` runs the call and returns 500 (a lost
 *   response), `delay` delays the response by `delay_ms` (real milliseconds).
 * - `probability`, `seed`: inject at random. The draw depends only on the seed, the content of the call and the number
 *   of earlier identical calls, so other calls in between do not change it.
 * - `at_call`: inject only at the n-th call (from 1) of each function since the fault was added, at its first attempt.
 * - `every_attempt`: inject also at the SDK's retries of an affected call, so that the error reaches the function.
 */
export const faultRule = z.strictObject({
  service: faultService.optional(),
  function: z.string().optional(),
  mode: z.enum(["fail_before", "fail_after", "delay"]),
  probability: z.number().min(0).max(1).default(1),
  seed: z.int().default(1),
  at_call: z.int().positive().optional(),
  every_attempt: z.boolean().default(false),
  delay_ms: z.int().nonnegative().max(MAX_DELAY_MS).default(200),
});

/** A fault rule with defaults applied. */
export type FaultRule = z.output<typeof faultRule>;

/** One attempt of a call. */
export interface FaultTarget {
  readonly service: z.output<typeof faultService>;
  /** Physical name of the calling function. */
  readonly function: string;
  /** Identifies the attempts of one SDK call (header `amz-sdk-invocation-id`). Without it each attempt is a call. */
  readonly callId?: string | undefined;
  /** The content of the call, which identifies equal calls. */
  readonly fingerprint?: () => string;
}

/** The active fault rules. */
export class FaultInjector {
  #active: ActiveFault[] = [];

  /** Adds a fault rule. @throws ZodError for an invalid rule. */
  add(rule: z.input<typeof faultRule>): void {
    this.#active.push(new ActiveFault(faultRule.parse(rule)));
  }

  /** Removes all fault rules. */
  clear(): void {
    this.#active = [];
  }

  /** The active fault rules, each with the number of attempts into which it was injected. */
  list(): (FaultRule & { struck: number })[] {
    return this.#active.map(({ rule, struck }) => ({ ...rule, struck }));
  }

  /**
   * Runs a call under the active fault rules.
   * @throws AwsError 500 InternalServerError when a fault fails the call. SDK clients retry it.
   */
  async run<T>(target: FaultTarget, call: () => Promise<T>): Promise<T> {
    const asked = createRequestDigest(target);
    const struck = this.#active.filter((fault) => fault.strikes(target, asked)).map(({ rule }) => rule);
    for (const { mode, delay_ms } of struck) if (mode === "delay") await sleep(delay_ms);
    if (struck.some(({ mode }) => mode === "fail_before")) throw injectedError();
    const outcome = call();
    if (!struck.some(({ mode }) => mode === "fail_after")) return outcome;
    await outcome.catch(() => undefined);
    throw injectedError();
  }
}

/** Digest of a call, computed once for all rules and only on demand. */
function createRequestDigest({ service, function: name, fingerprint = () => "" }: FaultTarget): () => Buffer {
  let digest: Buffer | undefined;
  return () => {
    digest ??= createHash("sha256").update([service, name, fingerprint()].join("\n")).digest();
    return digest;
  };
}

class ActiveFault {
  readonly rule: FaultRule;
  struck = 0;
  /** Calls seen, by function: id -> index from 1. */
  readonly #calls = new Map<string, Map<unknown, number>>();
  /** Number of draws, by digest of the call. */
  readonly #draws = new Map<string, number>();
  /** Whether a fault is injected into all attempts of a call, by call id. */
  readonly #fates = new Map<string, boolean>();

  constructor(rule: FaultRule) {
    this.rule = rule;
  }

  strikes(target: FaultTarget, asked: () => Buffer): boolean {
    const { service, function: name } = this.rule;
    if ((service ?? target.service) !== target.service || (name ?? target.function) !== target.function) return false;
    const strikes = this.#isItsTurn(target) && this.#isDrawn(target, asked);
    if (strikes) this.struck += 1;
    return strikes;
  }

  #isDrawn({ callId }: FaultTarget, asked: () => Buffer): boolean {
    const { probability, every_attempt, at_call } = this.rule;
    if (probability === 1) return true;
    if (!every_attempt || at_call !== undefined || callId === undefined) return this.#draw(asked()) < probability;
    const isStruck = this.#fates.get(callId) ?? this.#draw(asked()) < probability;
    this.#fates.set(callId, isStruck);
    return isStruck;
  }

  #draw(asked: Buffer): number {
    const name = asked.toString("base64");
    const before = this.#draws.get(name) ?? 0;
    this.#draws.set(name, before + 1);
    const ofSeed = mixBits(asked.readUInt32BE() ^ Math.imul(this.rule.seed, 0x27d4eb2f));
    return mixBits(ofSeed + Math.imul(before, 0x9e3779b9)) / 2 ** 32;
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

function injectedError(): AwsError {
  return new AwsError(500, "InternalServerError", "a fault was injected here");
}

/** The finalizer of MurmurHash3 (public domain), which makes neighbours differ in all bits. */
export function mixBits(word: number): number {
  let hash = word | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
