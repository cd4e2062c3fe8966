import { AsyncLocalStorage } from "node:async_hooks";
import type { SeededRandom } from "../../support/seeded-random.ts";

/** A task of a race: a sequence of invocations. It runs until all its requests wait for their turns. */
interface Task {
  readonly name: string;
  readonly isReady: () => boolean;
  isDone: boolean;
  /** Requests that wait for their turns, and requests that are under way. */
  waiting: number;
  underWay: number;
}

/** One invocation of a function. Once it is dead, its further requests fail. */
interface Invocation {
  readonly task: Task;
  readonly startedMs: number;
  /** Difference of its clock to that of the race. */
  readonly skewMs: number;
  isDead: boolean;
}

/** A request that waits for its turn, or a task that waits to begin. */
interface Step {
  readonly task: Task;
  readonly name: string;
  readonly go: (fault: Fault | undefined) => void;
}

/** The request never arrives, or it takes effect and its answer never arrives. */
type Fault = "request lost" | "answer lost";

/** Maximum duration of a function. */
const LIFETIME_MS = 60_000;
/** Maximum deviation of the clock of a function. */
const MAX_SKEW_MS = 1_500;
const KILLED_PERCENT = 40;

/**
 * Runs the tasks of a race in a random order, one request at a time, on a clock of its own. Also the requests that one
 * function sends at the same time take turns with those of the others. Functions die of faults and of old age.
 */
export class RaceGate {
  readonly trace: string[] = [];
  faultPercent = 0;
  nowMs = 0;
  /** Called before each step, for example to let time pass. */
  onStep: () => void = () => {};
  #random: SeededRandom;
  readonly #steps: Step[] = [];
  readonly #tasks = new AsyncLocalStorage<Task>();
  readonly #invocations = new AsyncLocalStorage<Invocation>();
  #failure: unknown;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Starts a new race. */
  reset(random: SeededRandom, nowMs: number): void {
    this.#random = random;
    this.nowMs = nowMs;
    this.faultPercent = 0;
    this.trace.length = 0;
  }

  /** The clock of the running function. */
  readonly now = (): number => this.nowMs + (this.#invocations.getStore()?.skewMs ?? 0);

  /** Adds a task, which begins at its own turn. @param isReady whether this turn may come yet. */
  add(name: string, work: () => Promise<void>, isReady: () => boolean = () => true): void {
    const task: Task = { name, isReady, isDone: false, waiting: 1, underWay: 0 };
    const go = () => {
      this.#tasks
        .run(task, work)
        .catch((error) => {
          this.#failure ??= error;
        })
        .finally(() => {
          task.isDone = true;
        });
    };
    this.#steps.push({ task, name: "begins", go });
  }

  /** Runs a function as Lambda does. @throws Error when the function fails or dies. */
  async invoke<T>(run: () => Promise<T>): Promise<T> {
    const task = this.#tasks.getStore();
    if (!task) throw new Error("an invocation belongs to a task");
    const skewMs = this.#random.integerBelow(2 * MAX_SKEW_MS) - MAX_SKEW_MS;
    const invocation = { task, startedMs: this.nowMs, skewMs, isDead: false };
    const result = await this.#invocations.run(invocation, run);
    if (invocation.isDead) throw new Error("the function was killed");
    return result;
  }

  /** Passes a request of an invocation at its turn. Requests of the test itself pass at once. */
  async pass<T>(name: string, request: () => Promise<T>): Promise<T> {
    const invocation = this.#invocations.getStore();
    if (!invocation) return request();
    const { task, startedMs } = invocation;
    if (invocation.isDead) throw deadError();
    const fault = await this.#awaitTurn(task, name);
    task.underWay++;
    try {
      if (this.nowMs - startedMs >= LIFETIME_MS) invocation.isDead = true;
      if (invocation.isDead) throw deadError();
      if (fault !== undefined) invocation.isDead = this.#random.isWithinPercent(KILLED_PERCENT);
      if (fault === "request lost") throw this.#lostError();
      const answer = await request();
      if (fault === "answer lost") throw this.#lostError();
      return answer;
    } finally {
      task.underWay--;
    }
  }

  /** Lets others have their turns between two requests of a task outside of functions. */
  async breath(): Promise<void> {
    const task = this.#tasks.getStore();
    if (task) await this.#awaitTurn(task, "waits");
  }

  #awaitTurn(task: Task, name: string): Promise<Fault | undefined> {
    task.waiting++;
    return new Promise((go) => this.#steps.push({ task, name, go }));
  }

  /** Runs until no task is left or ready. @returns whether tasks wait for a later time. @throws the error of a task. */
  async run(): Promise<boolean> {
    for (;;) {
      this.onStep();
      const ready = this.#steps.filter(({ task, name }) => name !== "begins" || task.isReady());
      if (ready.length === 0) return this.#steps.length > 0;
      await this.#take(this.#random.pick(ready));
      if (this.#failure) throw this.#failure;
    }
  }

  async #take(step: Step): Promise<void> {
    const { task, name } = step;
    this.#steps.splice(this.#steps.indexOf(step), 1);
    const fault = name === "begins" || name === "waits" ? undefined : this.#drawFault();
    this.trace.push(`${this.nowMs} ${task.name}: ${name}${fault ? ` (${fault})` : ""}`);
    task.waiting--;
    step.go(fault);
    do await nextTurn();
    while (task.underWay > 0 || (!task.isDone && task.waiting === 0));
    // Requests that the function sends at the same time arrive within the same turns.
    for (let turns = 3; turns > 0; turns--) await nextTurn();
  }

  #drawFault(): Fault | undefined {
    if (!this.#random.isWithinPercent(this.faultPercent)) return undefined;
    return this.#random.isWithinPercent(50) ? "request lost" : "answer lost";
  }

  /** The client sends a request again after a broken connection, and not after other errors. */
  #lostError(): Error {
    const isRetried = this.#random.isWithinPercent(50);
    return isRetried ? Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) : new Error("no answer");
  }
}

const deadError = () => new Error("the function is dead");
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
