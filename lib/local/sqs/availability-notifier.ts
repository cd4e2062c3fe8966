import type { Timer, VirtualClock } from "../clock.ts";

/** Visibility of the messages of a queue at an instant (epoch ms). */
export interface AvailabilitySource {
  hasVisible(now: number): boolean;
  /** The earliest instant after `now` at which a message becomes visible. */
  nextVisibleAt(now: number): number | undefined;
}

/**
 * Notifies the listeners of one queue that messages may be visible. Calls are asynchronous and coalesced: all arrivals
 * of one event loop turn cause one call. A queue with listeners has at most one timer on the clock.
 */
export class AvailabilityNotifier {
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

  /** Adds a listener. It is called soon if a message is visible already. @returns a function that removes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    const now = this.#clock.now();
    if (this.#source.hasVisible(now)) this.notify();
    this.resetTimer(now);
    return () => {
      this.#listeners.delete(listener);
      this.resetTimer();
    };
  }

  /** Resolves when messages may be visible, after `timeoutMs` of real time, or on close. */
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

  /** Notifies the listeners that a message has become visible. */
  notify(): void {
    if (this.#announced || this.#listeners.size === 0) return;
    this.#announced = true;
    queueMicrotask(() => {
      this.#announced = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /**
   * Resets the timer after the instant of the next visible message may have changed. Reads the clock only once: a
   * message that becomes visible between two readings would get neither a notification nor a timer.
   */
  resetTimer(now = this.#clock.now()): void {
    if (this.#listeners.size === 0) {
      this.#cancelTimer();
      return;
    }
    // A due timer has not run yet. Replacing it would skip the notification of its message.
    if (this.#timer && this.#timer.dueAt <= now) return;
    const dueAt = this.#source.nextVisibleAt(now);
    if (dueAt === this.#timer?.dueAt) return;
    this.#cancelTimer();
    if (dueAt !== undefined) this.#timer = this.#clock.at(dueAt, () => this.#onDue());
  }

  /** Ends the waits and removes the listeners and the timer. */
  close(): void {
    for (const endWait of [...this.#waits]) endWait();
    this.#listeners.clear();
    this.#cancelTimer();
  }

  #onDue(): void {
    this.#timer = undefined;
    this.notify();
    this.resetTimer();
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
