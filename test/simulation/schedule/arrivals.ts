import type { CallScheduler } from "./call-scheduler.ts";

/** What invokes a function over a connection. */
export type Arrival = "request" | "stream";

/**
 * Holds the scheduler while a request or the records of a stream travel to their function, and while the result
 * travels back. Each kind travels at most once at a time.
 */
export class Arrivals {
  readonly #scheduler: CallScheduler;
  readonly #releases = new Map<Arrival, () => void>();

  constructor(scheduler: CallScheduler) {
    this.#scheduler = scheduler;
  }

  /** Sends what arrives at a function. */
  async send<T>(kind: Arrival, send: () => Promise<T>): Promise<T> {
    this.#hold(kind);
    return send().finally(() => this.#release(kind));
  }

  /** Runs the function at which something arrived. */
  async receive<T>(kind: Arrival | undefined, run: () => Promise<T>): Promise<T> {
    if (kind === undefined || !this.#releases.has(kind)) return run();
    const running = run();
    this.#release(kind);
    return running.finally(() => this.#hold(kind));
  }

  #hold(kind: Arrival): void {
    this.#release(kind);
    this.#releases.set(kind, this.#scheduler.hold());
  }

  #release(kind: Arrival): void {
    this.#releases.get(kind)?.();
    this.#releases.delete(kind);
  }
}
