import { type Invocation, isBatch, isFinalOutcome, isRequest, retryOf } from "./invocation.ts";
import { type FaultTrial, type InvocationRun, judgeTrial, maskRandomValues, type ReferenceRun } from "./judge-trial.ts";
import type { SingleFault, TrialRunner } from "./trial-runner.ts";

/** The faults of a trial: of an invocation, and optionally of its first repetition. */
export type TrialFaults = readonly [SingleFault, SingleFault?];

/** The call that got the first fault, and what is wrong; undefined if nothing is. */
export interface TrialResult {
  readonly call: string;
  readonly problem: string | undefined;
}

/** Number of attempts to hit a call whose position varies between runs. */
const MAX_AIM_ATTEMPTS = 4;

/** Runs an invocation with faults, repeats it as its caller would, judges the effects and undoes them. */
export class FaultTrials {
  readonly #runner: TrialRunner;

  constructor(runner: TrialRunner) {
    this.#runner = runner;
  }

  async try(invocation: Invocation, reference: ReferenceRun, faults: TrialFaults): Promise<TrialResult> {
    const [fault, next] = faults;
    const disturbed = await this.#aim(invocation, reference.run.calls, fault);
    const isOver = isFinalOutcome(invocation, disturbed.outcome);
    const trial: FaultTrial = [disturbed, ...(isOver ? [] : await this.#repeat(invocation, disturbed, next))];
    await this.#runner.undo();
    // Messages of a batch are processed in parallel, so the outcome of each can depend on their order.
    const isDeterministic = reference.isDeterministic && !(fault.mode === "delay" && isBatch(invocation));
    const problem = judgeTrial({ ...reference, isDeterministic }, trial);
    const isFine = problem && isDeterministic && (await this.#isOfSeveral(invocation, reference, trial, faults.length));
    return { call: disturbed.faultedCall ?? "", problem: isFine ? undefined : problem };
  }

  /** Repeats an invocation that ended, and repeats it again if the first repetition has a fault. */
  async #repeat(invocation: Invocation, ended: InvocationRun, fault?: SingleFault): Promise<InvocationRun[]> {
    const again = retryOf(invocation, ended);
    if (!fault) return [await this.#runner.run(again, "reference")];
    const second = await this.#runner.run(again, "again", fault);
    const isOver = second.outcome === "broken" || isFinalOutcome(invocation, second.outcome);
    return isOver ? [second] : [second, await this.#runner.run(retryOf(again, second), "reference")];
  }

  /**
   * Whether as many undisturbed runs have the same effect. A later repetition also does work that came due meanwhile.
   * @param repetitions number of repetitions.
   */
  async #isOfSeveral(
    invocation: Invocation,
    reference: ReferenceRun,
    trial: FaultTrial,
    repetitions: number,
  ): Promise<boolean> {
    if (trial.length === 1 || isRequest(invocation)) return false;
    let run = await this.#runner.run(invocation, "reference");
    let again = invocation;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      again = retryOf(again, run);
      run = await this.#runner.run(again, "reference");
    }
    await this.#runner.undo();
    return judgeTrial({ ...reference, run }, trial) === undefined;
  }

  /**
   * Injects the fault at a call whose position varies: parallel calls change the order, and cached data saves calls.
   */
  async #aim(invocation: Invocation, calls: readonly string[], { index: wanted, mode }: SingleFault) {
    const meant = describeNthCall(calls, wanted);
    for (let aims = 1, index = wanted; ; aims++) {
      const run = await this.#runner.run(invocation, "disturbed", { index, mode });
      if (aims === MAX_AIM_ATTEMPTS || describeNthCall(run.calls, index) === meant) return run;
      const place = run.calls.findIndex((_, other) => describeNthCall(run.calls, other + 1) === meant);
      if (place >= 0) index = place + 1;
      await this.#runner.undo();
    }
  }
}

/** Describes a call and its index among calls of the same kind. @param index from 1. */
function describeNthCall(calls: readonly string[], index: number): string {
  const kind = maskRandomValues(calls[index - 1] ?? "");
  return `${kind} ${calls.slice(0, index).filter((call) => maskRandomValues(call) === kind).length}`;
}
