import type { TestService } from "../support/service.ts";
import { EachInvocation } from "./each-invocation.ts";
import { type Invocation, isBatch, isEndpoint, isFinal, repetitionOf } from "./invocation.ts";
import { judge, masked, type Reference, type Run, type Trial } from "./judge.ts";
import { reasonFor } from "./known-effects.ts";
import type { Mode, SingleFault } from "./rehearsal.ts";

/** Selects the modes to try at a call of an operation. Receives all calls of the invocation. */
export type ModesAt = (operation: string, index: number, calls: readonly string[]) => readonly Mode[];

/** A violation that a fault caused. */
export interface Finding extends SingleFault {
  readonly operation: string;
  readonly call: string;
  readonly problem: string;
}

/** Maximum number of visited invocations per operation. */
const MOST_LOOKS = 40;
/** Number of attempts to hit a call whose position varies between runs. */
const MOST_AIMS = 4;
/** Longer than containers trust cached data. */
const FORGOTTEN_MS = 61_000;

/**
 * Tries single faults at the invocations of a running service. For each call, the explorer runs an invocation, undoes
 * it, runs it with a fault, repeats it, compares the effects and undoes them, before the real run. It covers a
 * function's first successful invocation, and later invocations that make new calls.
 */
export class Explorer {
  readonly findings: Finding[] = [];
  /** Number of tried invocations, by operation. */
  readonly explored = new Map<string, number>();
  cases = 0;
  /** Number of nondeterministic invocations. Only their final state is judged. */
  unsteady = 0;
  readonly #service: TestService;
  readonly #modesAt: ModesAt;
  readonly #tell: (finding: Finding) => void;
  readonly #seen = new Map<string, Set<string>>();
  readonly #looks = new Map<string, number>();
  readonly #each: EachInvocation;

  /** @param tell receives each finding immediately. */
  constructor(service: TestService, modesAt: ModesAt, tell: (finding: Finding) => void = () => {}) {
    this.#service = service;
    this.#modesAt = modesAt;
    this.#tell = tell;
    this.#each = new EachInvocation(service, {
      wants: (operation) => this.#wants(operation),
      visit: (invocation) => this.#explore(invocation),
    });
  }

  end(): void {
    this.#each.end();
  }

  #wants(operation: string): boolean {
    const looks = (this.#looks.get(operation) ?? 0) + 1;
    this.#looks.set(operation, looks);
    const isDisturbed = this.#service.cloud.faults.list().length > 0;
    return !isDisturbed && looks <= MOST_LOOKS;
  }

  async #explore(invocation: Invocation): Promise<void> {
    const first = await this.#undone(invocation, "reference");
    const { operation } = invocation;
    const seen = this.#seen.get(operation) ?? new Set();
    const isNew = (call: string) => !seen.has(masked(call));
    if (first.outcome !== "ok" || !first.calls.some(isNew)) return;
    this.#seen.set(operation, new Set([...seen, ...first.calls.map(masked)]));
    const explored = this.explored.get(operation) ?? 0;
    this.explored.set(operation, explored + 1);
    const reference = await this.#reference(invocation);
    const { calls } = reference.run;
    for (const [place, call] of calls.entries()) {
      if (explored > 0 && !isNew(call)) continue;
      for (const mode of this.#modesAt(operation, place + 1, calls))
        await this.#try(invocation, reference, { index: place + 1, mode });
    }
    await this.#tryNewContainer(invocation, first.calls.length - calls.length);
  }

  async #undone(invocation: Invocation, seed: string, fault?: SingleFault): Promise<Run> {
    const run = await this.#each.rehearsal.run(invocation, seed, fault);
    await this.#each.rehearsal.undo();
    return run;
  }

  /** Fixes the containers' caches from here on, so that each run makes the same calls. */
  async #reference(invocation: Invocation): Promise<Reference> {
    const other = await this.#undone(invocation, "another");
    const late = await this.#undone(invocation, "late", { index: 1, mode: "delay" });
    const run = await this.#undone(invocation, "reference");
    const keys = new Set(other.changes.map(({ name }) => name));
    const randomKeys = new Set(run.changes.map(({ name }) => name).filter((name) => !keys.has(name)));
    const asExpected = { run, randomKeys, isDeterministic: true };
    const isDeterministic = [other, late].every(
      (one) => !judge(asExpected, { disturbed: one, repeated: one, faultedCall: "" }),
    );
    if (!isDeterministic) this.unsteady += 1;
    return { ...asExpected, isDeterministic };
  }

  async #try(invocation: Invocation, reference: Reference, fault: SingleFault): Promise<void> {
    this.cases += 1;
    const disturbed = await this.#aim(invocation, reference.run.calls, fault);
    const isOver = isFinal(invocation, disturbed.outcome);
    const repeated = isOver ? undefined : await this.#each.rehearsal.run(repetitionOf(invocation), "reference");
    await this.#each.rehearsal.undo();
    // Messages of a batch are processed in parallel, so the outcome of each can depend on their order.
    const isDeterministic = reference.isDeterministic && !(fault.mode === "delay" && isBatch(invocation));
    const trial = { disturbed, repeated, faultedCall: disturbed.faultedCall };
    const problem = judge({ ...reference, isDeterministic }, trial);
    if (problem && isDeterministic && (await this.#isOfTwo(invocation, reference, trial))) return;
    this.#note({ operation: invocation.operation, ...fault, call: disturbed.faultedCall, problem });
  }

  /** Whether two undisturbed runs have the same effect. A later repetition also does work that came due meanwhile. */
  async #isOfTwo(invocation: Invocation, reference: Reference, trial: Trial): Promise<boolean> {
    if (!trial.repeated || isEndpoint(invocation)) return false;
    await this.#each.rehearsal.run(invocation, "reference");
    const run = await this.#undone(repetitionOf(invocation), "reference");
    return judge({ ...reference, run }, trial) === undefined;
  }

  /**
   * Injects the fault at a call whose position varies: parallel calls change the order, and cached data saves calls.
   */
  async #aim(invocation: Invocation, calls: readonly string[], { index: wanted, mode }: SingleFault) {
    const meant = nthOf(calls, wanted);
    for (let aims = 1, index = wanted; ; aims++) {
      const run = await this.#each.rehearsal.run(invocation, "disturbed", { index, mode });
      const faultedCall = run.calls[index - 1] ?? "";
      if (aims === MOST_AIMS || nthOf(run.calls, index) === meant) return { ...run, faultedCall };
      const place = run.calls.findIndex((_, other) => nthOf(run.calls, other + 1) === meant);
      if (place >= 0) index = place + 1;
      await this.#each.rehearsal.undo();
    }
  }

  /** Tries faults at the calls that only a new container makes, before all other calls. */
  async #tryNewContainer(invocation: Invocation, count: number): Promise<void> {
    for (let index = 1; index <= count; index++) {
      const fault = { index, mode: "fail_before" } as const;
      this.cases += 1;
      const at = invocation.at + index * FORGOTTEN_MS;
      const { outcome, answer, calls } = await this.#undone({ ...invocation, at }, "new", fault);
      const isFine = outcome === "ok" || outcome === "unavailable";
      const problem = isFine ? undefined : `in a new container: ${JSON.stringify(answer).slice(0, 300)}`;
      this.#note({ operation: invocation.operation, ...fault, call: calls[index - 1] ?? "", problem });
    }
  }

  #note({ problem, ...found }: Omit<Finding, "problem"> & { problem: string | undefined }): void {
    if (!problem || reasonFor({ operation: found.operation, problem })) return;
    const finding = { ...found, problem };
    this.findings.push(finding);
    this.#tell(finding);
  }
}

/** Describes a call and its index among calls of the same kind. @param index from 1. */
function nthOf(calls: readonly string[], index: number): string {
  const kind = masked(calls[index - 1] ?? "");
  return `${kind} ${calls.slice(0, index).filter((call) => masked(call) === kind).length}`;
}
