import type { Timer, VirtualClock } from "../clock.ts";

/** What a queue can tell about its messages at an instant (epoch ms). */
export interface AvailabilitySource {
  hasVisible(now: number): boolean;
  /** The earliest later instant at which a message becomes receivable. */
  nextVisibleAt(now: number): number | undefined;
}

/**
 * Tells the listeners of one queue that there may be something to receive. Calls are asynchronous and coalesced: many
 * arrivals in one turn make one call. While somebody listens, at most one timer of the clock is planned for the queue.
 */
export class Availability {
  readonly #clock: VirtualClock;
  readonly #source: AvailabilitySource;
  readonly #listeners = new Set<() => void>();
  readonly #waits = new Set<() => void>();
  #timer: Timer | undefined;
  #announced = false;

  constructor(clock: VirtualClock, source: AvailabilitySource) {
    this.#clock = clock;
    this.#source = source;
  }

  /** Adds a listener, called soon if something is receivable already; the answer removes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    const now = this.#clock.now();
    if (this.#source.hasVisible(now)) this.announce();
    this.replan(now);
    return () => {
      this.#listeners.delete(listener);
      this.replan();
    };
  }

  /** Resolves when there may be something to receive, else after `timeoutMs` of real time or at the close. */
  wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stopListening();
        clearTimeout(timeout);
        this.#waits.delete(end);
        resolve();
      };
      const timeout = setTimeout(end, timeoutMs);
      const stopListening = this.listen(end);
      this.#waits.add(end);
    });
  }

  /** A message has become receivable. */
  announce(): void {
    if (this.#announced || this.#listeners.size === 0) return;
    this.#announced = true;
    queueMicrotask(() => {
      this.#announced = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /**
   * The instant at which the next message becomes receivable may have changed. One reading of the clock decides all: a
   * message that falls due between two readings would be neither announced nor planned for.
   */
  replan(now = this.#clock.now()): void {
    if (this.#listeners.size === 0) {
      this.#cancelTimer();
      return;
    }
    // A timer that is due now has not run yet: replacing it would leave its message unannounced.
    if (this.#timer && this.#timer.dueAt <= now) return;
    const dueAt = this.#source.nextVisibleAt(now);
    if (dueAt === this.#timer?.dueAt) return;
    this.#cancelTimer();
    if (dueAt !== undefined) this.#timer = this.#clock.at(dueAt, () => this.#onDue());
  }

  /** Ends the waits and forgets the listeners and the timer. */
  close(): void {
    for (const endWait of [...this.#waits]) endWait();
    this.#listeners.clear();
    this.#cancelTimer();
  }

  #onDue(): void {
    this.#timer = undefined;
    this.announce();
    this.replan();
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
