import type { TestService } from "../support/service.ts";
import { FaultTrials, type TrialFaults } from "./fault-trials.ts";
import type { Invocation } from "./invocation.ts";
import { InvocationInterceptor } from "./invocation-interceptor.ts";
import { type InvocationRun, judgeTrial, maskRandomValues, type ReferenceRun } from "./judge-trial.ts";
import { knownEffectReason } from "./known-effects.ts";
import type { FaultMode, SingleFault } from "./trial-runner.ts";

/** Selects the modes to try at a call of an operation. Receives all calls of the invocation. */
export type ModeSelector = (operation: string, index: number, calls: readonly string[]) => readonly FaultMode[];

/** Draws pairs of faults for an invocation: the second hits its first repetition. Receives the number of its calls. */
type PairSelector = (operation: string, calls: number) => readonly TrialFaults[];

/** A violation that a fault caused. */
export interface FaultFinding extends SingleFault {
  /** The fault of the first repetition. */
  readonly next?: SingleFault;
  readonly operation: string;
  readonly call: string;
  readonly problem: string;
}

/** Options of the explorer. */
export interface FaultExplorerOptions {
  /** Selects single faults. */
  readonly modesAt?: ModeSelector;
  /** Draws pairs instead. */
  readonly pairsOf?: PairSelector;
  /** Operations of the functions that get faults; all by default. */
  readonly operations?: readonly string[];
  /** Receives each finding immediately. */
  readonly onFinding?: (finding: FaultFinding) => void;
}

/** Maximum number of visited invocations per operation. */
const MAX_VISITS = 40;
/** Longer than containers trust cached data. */
const CACHE_EXPIRY_MS = 61_000;

/**
 * Tries single faults at the invocations of a running service. For each call, the explorer runs an invocation, undoes
 * it, runs it with a fault, repeats it, compares the effects and undoes them, before the real run. It covers a
 * function's first successful invocation, and later invocations that make new calls.
 */
export class FaultExplorer {
  readonly findings: FaultFinding[] = [];
  /** Number of tried invocations, by operation. */
  readonly explored = new Map<string, number>();
  cases = 0;
  /** Number of nondeterministic invocations. Only their final state is judged. */
  nondeterministic = 0;
  readonly #service: TestService;
  readonly #options: FaultExplorerOptions;
  readonly #seen = new Map<string, Set<string>>();
  readonly #looks = new Map<string, number>();
  readonly #each: InvocationInterceptor;
  readonly #trials: FaultTrials;

  constructor(service: TestService, options: FaultExplorerOptions) {
    this.#service = service;
    this.#options = options;
    this.#each = new InvocationInterceptor(service, {
      shouldVisit: (operation) => this.#wants(operation),
      visit: (invocation) => this.#explore(invocation),
    });
    this.#trials = new FaultTrials(this.#each.runner);
  }

  stop(): void {
    this.#each.stop();
  }

  #wants(operation: string): boolean {
    if (this.#options.operations?.includes(operation) === false) return false;
    const looks = (this.#looks.get(operation) ?? 0) + 1;
    this.#looks.set(operation, looks);
    const isDisturbed = this.#service.cloud.faults.list().length > 0;
    return !isDisturbed && looks <= MAX_VISITS;
  }

  async #explore(invocation: Invocation): Promise<void> {
    const first = await this.#undone(invocation, "reference");
    const { operation } = invocation;
    const seen = this.#seen.get(operation) ?? new Set();
    const isNew = (call: string) => !seen.has(maskRandomValues(call));
    if (first.outcome !== "ok" || !first.calls.some(isNew)) return;
    this.#seen.set(operation, new Set([...seen, ...first.calls.map(maskRandomValues)]));
    const explored = this.explored.get(operation) ?? 0;
    this.explored.set(operation, explored + 1);
    const reference = await this.#reference(invocation);
    const { calls } = reference.run;
    for (const [place, call] of calls.entries()) {
      if (explored > 0 && !isNew(call)) continue;
      for (const mode of this.#options.modesAt?.(operation, place + 1, calls) ?? [])
        await this.#try(invocation, reference, [{ index: place + 1, mode }]);
    }
    for (const pair of this.#options.pairsOf?.(operation, calls.length) ?? [])
      await this.#try(invocation, reference, pair);
    if (this.#options.modesAt) await this.#tryNewContainer(invocation, first.calls.length - calls.length);
  }

  async #undone(invocation: Invocation, seed: string, fault?: SingleFault): Promise<InvocationRun> {
    const run = await this.#each.runner.run(invocation, seed, fault);
    await this.#each.runner.undo();
    return run;
  }

  /** Fixes the containers' caches from here on, so that each run makes the same calls. */
  async #reference(invocation: Invocation): Promise<ReferenceRun> {
    const other = await this.#undone(invocation, "another");
    const late = await this.#undone(invocation, "late", { index: 1, mode: "delay" });
    const run = await this.#undone(invocation, "reference");
    const keys = new Set(other.changes.map(({ name }) => name));
    const randomKeys = new Set(run.changes.map(({ name }) => name).filter((name) => !keys.has(name)));
    const asExpected = { run, randomKeys, isDeterministic: true };
    // The name of the call must not excuse a difference, as it does that of a failed outbound request.
    const isDeterministic = [other, { ...late, faultedCall: "" }].every((one) => !judgeTrial(asExpected, [one, one]));
    if (!isDeterministic) this.nondeterministic += 1;
    return { ...asExpected, isDeterministic };
  }

  async #try(invocation: Invocation, reference: ReferenceRun, faults: TrialFaults): Promise<void> {
    this.cases += 1;
    const { call, problem } = await this.#trials.try(invocation, reference, faults);
    const [fault, next] = faults;
    this.#note({ operation: invocation.operation, ...fault, ...(next && { next }), call, problem });
  }

  /** Tries faults at the calls that only a new container makes, before all other calls. */
  async #tryNewContainer(invocation: Invocation, count: number): Promise<void> {
    for (let index = 1; index <= count; index++) {
      const fault = { index, mode: "fail_before" } as const;
      this.cases += 1;
      const at = invocation.at + index * CACHE_EXPIRY_MS;
      const { outcome, answer, calls } = await this.#undone({ ...invocation, at }, "new", fault);
      const isFine = outcome === "ok" || outcome === "unavailable";
      const problem = isFine ? undefined : `in a new container: ${JSON.stringify(answer).slice(0, 300)}`;
      this.#note({ operation: invocation.operation, ...fault, call: calls[index - 1] ?? "", problem });
    }
  }

  #note({ problem, ...found }: Omit<FaultFinding, "problem"> & { problem: string | undefined }): void {
    if (!problem || knownEffectReason({ operation: found.operation, problem })) return;
    const finding = { ...found, problem };
    this.findings.push(finding);
    this.#options.onFinding?.(finding);
  }
}
