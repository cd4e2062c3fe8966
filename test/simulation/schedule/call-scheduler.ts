import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openHttpRequests } from "./open-http-requests.ts";

/** SHA-256 of the trace of a scheduler, in hexadecimal. */
export const hashTrace = (trace: readonly string[]): string =>
  createHash("sha256").update(trace.join("\n")).digest("hex");

/** A running invocation of a function. */
interface Invocation {
  readonly number: number;
  readonly functionName: string;
}

/** A step that waits for its turn. */
interface WaitingStep {
  /** What the step does, equal in every run of a seed. */
  readonly name: string;
  /** Undefined for a step of the local cloud. */
  readonly invocation: Invocation | undefined;
  readonly carryOut: () => Promise<unknown>;
}

/** Chooses the next step: an index below `count`. */
export type ChooseStep = (count: number) => number;

/** Turns of the event loop without a new step after which the functions count as waiting. */
const QUIET_TURNS = 3;
/** The same while an invocation has no waiting step: it may wait for another invocation, because they share caches. */
const QUIET_TURNS_UNSETTLED = 30;

/**
 * Orders the steps of concurrent functions: their calls and pauses, and the polls of streams. One step at a time is
 * carried out, once nothing else runs. `choose` draws it, so real time decides nothing.
 */
export class CallScheduler {
  /** One line for each step, in order. */
  readonly trace: string[] = [];
  readonly #choose: ChooseStep;
  readonly #current = new AsyncLocalStorage<Invocation>();
  readonly #running = new Set<Invocation>();
  readonly #waiting: WaitingStep[] = [];
  #invocations = 0;
  /** Requests that something else began before. */
  readonly #ignoredRequests = new Set(openHttpRequests);
  #holds = 0;
  #isLooping = false;

  constructor(choose: ChooseStep) {
    this.#choose = choose;
  }

  /** Whether the current code belongs to an invocation. */
  get isInInvocation(): boolean {
    return this.#current.getStore() !== undefined;
  }

  /** Runs an invocation. Its steps wait for their turns. */
  async invoke<T>(functionName: string, run: () => Promise<T>): Promise<T> {
    const invocation = { number: ++this.#invocations, functionName };
    this.#running.add(invocation);
    return this.#current.run(invocation, run).finally(() => this.#running.delete(invocation));
  }

  /** Carries out a step at its turn. A step of an invocation that has crashed gets its turn too, as a late request. */
  step<T>(name: string, act: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const carryOut = () => act().then(resolve, reject);
      this.#waiting.push({ name, invocation: this.#current.getStore(), carryOut });
      void this.#loop();
    });
  }

  /** Carries out no step until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    return () => void this.#holds--;
  }

  async #loop(): Promise<void> {
    if (this.#isLooping) return;
    this.#isLooping = true;
    while (this.#waiting.length > 0) if (await this.#isQuiet()) await this.#takeStep();
    this.#isLooping = false;
  }

  /** Waits some turns of the event loop. @returns whether nothing but waiting steps was there in all of them. */
  async #isQuiet(): Promise<boolean> {
    const known = this.#waiting.length;
    const turns = this.#isSettled() ? QUIET_TURNS : QUIET_TURNS_UNSETTLED;
    for (let turn = 0; turn < turns; turn++) {
      await nextTurn();
      // Requests to the object store are HTTP, and are no steps.
      const hasOpenRequests = !openHttpRequests.isSubsetOf(this.#ignoredRequests);
      if (this.#holds > 0 || hasOpenRequests || this.#waiting.length !== known) return false;
    }
    return true;
  }

  /** Whether every invocation has a waiting step. */
  #isSettled(): boolean {
    const waiting = new Set(this.#waiting.map(({ invocation }) => invocation));
    return [...this.#running].every((invocation) => waiting.has(invocation));
  }

  async #takeStep(): Promise<void> {
    const [step] = this.#waiting.splice(this.#choose(this.#waiting.length), 1);
    if (!step) throw new Error("the chosen step does not exist");
    const { invocation, name } = step;
    this.trace.push(invocation ? `${invocation.number} ${invocation.functionName}: ${name}` : name);
    await step.carryOut();
  }
}
