import type { SeededRandom } from "./seeded-random.ts";

/** The fault of a request: the request never arrives, or it takes effect and its response never arrives. */
export type Fault = "request lost" | "answer lost";

/** One of several concurrent tasks. It runs until its next request and then waits for its turn. */
interface Task {
  readonly name: string;
  readonly isReady: () => boolean;
  /** The step that it waits to take. */
  step: string;
  go: (fault: Fault | undefined) => void;
}

/**
 * Runs tasks in a random order, one request at a time: while one task runs to its next request, all others wait. Every
 * interleaving of requests is possible, and the same random numbers replay the same interleaving.
 */
export class StepScheduler {
  /** Every step in order, for the report of a failed run. */
  readonly trace: string[] = [];
  /** Percentage of requests with a fault. */
  faultPercent = 0;
  readonly #random: SeededRandom;
  readonly #waiting: Task[] = [];
  #running: Task | undefined;
  #stopped: () => void = () => {};
  #failure: unknown;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Adds a task, which starts at its own turn. @param isReady whether its first turn may come yet. */
  add(name: string, work: () => Promise<void>, isReady: () => boolean = () => true): void {
    const begin = (): void => {
      work()
        .catch((error) => {
          this.#failure ??= error;
        })
        .finally(() => this.#stop());
    };
    this.#waiting.push({ name, isReady, step: "begins", go: begin });
  }

  /** Waits for the next turn of the running task. @returns the fault to inject into its request. */
  awaitTurn(step: string): Promise<Fault | undefined> {
    const task = this.#running;
    if (!task) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push({ name: task.name, isReady: () => true, step, go: resolve });
      this.#stop();
    });
  }

  /**
   * Runs until no task is left or ready. @param afterEach checks the state between two steps.
   * @throws the first error of a task.
   */
  async run(afterEach?: () => Promise<void>): Promise<void> {
    for (;;) {
      const ready = this.#waiting.filter((task) => task.isReady());
      if (ready.length === 0) return;
      await this.#take(this.#random.pick(ready));
      if (this.#failure) throw this.#failure;
      await afterEach?.();
    }
  }

  async #take(task: Task): Promise<void> {
    this.#waiting.splice(this.#waiting.indexOf(task), 1);
    const fault = this.#drawFault(task);
    this.trace.push(`${task.name}: ${task.step}${fault ? ` (${fault})` : ""}`);
    const stopped = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    this.#running = task;
    task.go(fault);
    await stopped;
  }

  #drawFault(task: Task): Fault | undefined {
    const isRequest = task.step !== "begins";
    if (!isRequest || !this.#random.isWithinPercent(this.faultPercent)) return undefined;
    return this.#random.isWithinPercent(50) ? "request lost" : "answer lost";
  }

  #stop(): void {
    this.#running = undefined;
    this.#stopped();
  }
}
