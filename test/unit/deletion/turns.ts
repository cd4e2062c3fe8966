import type { Chance } from "./chance.ts";

/** How a request goes wrong: it never arrives, or it is carried out and its answer never arrives. */
export type Fault = "request lost" | "answer lost";

/** One of several things that go on at the same time. It runs until its next request, then waits for its turn. */
interface Task {
  readonly name: string;
  readonly isReady: () => boolean;
  /** What it waits to do next. */
  step: string;
  go: (fault: Fault | undefined) => void;
}

/**
 * Plays tasks in a drawn order, one request at a time: while one task runs to its next request, all others wait before
 * theirs. So every interleaving of requests can happen, and the same draws give the same one again.
 */
export class Turns {
  /** Every step in the order it was taken, for the report of a run that failed. */
  readonly trace: string[] = [];
  /** Share of requests that meet a fault, in percent. */
  faultPercent = 0;
  readonly #chance: Chance;
  readonly #waiting: Task[] = [];
  #running: Task | undefined;
  #stopped: () => void = () => {};
  #failure: unknown;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Adds a task; it begins at a turn of its own. @param isReady whether its first turn may come already. */
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

  /** Waits for the turn of the running task; returns the fault that its request is to meet. */
  turn(step: string): Promise<Fault | undefined> {
    const task = this.#running;
    if (!task) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push({ name: task.name, isReady: () => true, step, go: resolve });
      this.#stop();
    });
  }

  /**
   * Plays until no task is left or ready. @param afterEach looks at the state between two steps.
   * @throws what a task threw.
   */
  async play(afterEach?: () => Promise<void>): Promise<void> {
    for (;;) {
      const ready = this.#waiting.filter((task) => task.isReady());
      if (ready.length === 0) return;
      await this.#take(this.#chance.pick(ready));
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
    if (!isRequest || !this.#chance.percent(this.faultPercent)) return undefined;
    return this.#chance.percent(50) ? "request lost" : "answer lost";
  }

  #stop(): void {
    this.#running = undefined;
    this.#stopped();
  }
}
