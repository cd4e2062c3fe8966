/** A planned task on a {@link VirtualClock}. */
export interface Timer {
  readonly dueAt: number;
  cancel(): void;
}

interface Planned extends Timer {
  task: () => void | Promise<void>;
}

/** The longest delay setTimeout takes without overflowing (about 24.8 days). */
const MAX_REAL_DELAY_MS = 2 ** 31 - 1;

/**
 * The one clock of the local cloud: real time plus an offset that only grows.
 * Everything that waits (queue delays, retries, wait states, schedules, expiries) plans its timers here, so that
 * {@link VirtualClock.advance} can run days of due work in seconds, in time order.
 */
export class VirtualClock {
  #offsetMs: number;
  #frozenAt: number | undefined;
  #planned = new Set<Planned>();
  #wakeUp: NodeJS.Timeout | undefined;
  #advancing: Promise<unknown> = Promise.resolve();

  /** @param offsetMs milliseconds this clock is ahead of real time (kept across restarts). */
  constructor(offsetMs = 0) {
    this.#offsetMs = offsetMs;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#frozenAt ?? Date.now() + this.#offsetMs;
  }

  /**
   * Plans `task` for the instant `dueAt` (epoch ms); an instant in the past runs as soon as possible. Time is in whole
   * milliseconds, as everybody who stores an instant expects.
   */
  at(dueAt: number, task: () => void | Promise<void>): Timer {
    const timer: Planned = {
      dueAt: Math.ceil(dueAt),
      task,
      cancel: () => void this.#planned.delete(timer),
    };
    this.#planned.add(timer);
    this.#armWakeUp();
    return timer;
  }

  /** The earliest planned instant, or undefined while nothing is planned. */
  nextDueAt(): number | undefined {
    return this.#earliest()?.dueAt;
  }

  /**
   * Moves the clock forward to `until`, stopping at every planned instant on the way; after all tasks of an instant have
   * run, `settle` lets the consequences finish (they may plan more) before time moves on. Time stands still meanwhile.
   * Advances that overlap run one after the other.
   */
  advanceTo(until: number, settle: () => Promise<void>): Promise<void> {
    const advance = this.#advancing.then(() => this.#advance(Math.ceil(until), settle));
    this.#advancing = advance.catch(() => undefined);
    return advance;
  }

  async #advance(until: number, settle: () => Promise<void>): Promise<void> {
    clearTimeout(this.#wakeUp);
    try {
      for (let next = this.#earliest(); next && next.dueAt <= until; next = this.#earliest()) {
        this.#frozenAt = Math.max(this.now(), next.dueAt);
        // One after the other: what a task plans or ends, the next one of the same instant has to see.
        for (const timer of this.#takeDue()) await run(timer);
        await settle();
      }
    } finally {
      const reached = Math.max(this.now(), until);
      this.#frozenAt = undefined;
      this.#offsetMs += Math.max(0, reached - this.now());
      this.#armWakeUp();
    }
  }

  /** Forgets all planned timers. */
  stop(): void {
    this.#planned.clear();
    clearTimeout(this.#wakeUp);
  }

  #earliest(): Planned | undefined {
    let first: Planned | undefined;
    for (const timer of this.#planned) if (!first || timer.dueAt < first.dueAt) first = timer;
    return first;
  }

  #armWakeUp(): void {
    clearTimeout(this.#wakeUp);
    const first = this.#earliest();
    if (!first || this.#frozenAt !== undefined) return;
    const delayMs = Math.min(Math.max(0, first.dueAt - this.now()), MAX_REAL_DELAY_MS);
    this.#wakeUp = setTimeout(() => {
      // In real time nobody waits: a slow task must not hold up those that become due after it.
      for (const timer of this.#takeDue()) void run(timer);
      this.#armWakeUp();
    }, delayMs);
  }

  /** The tasks whose instant has come, in order, no longer planned. */
  #takeDue(): Planned[] {
    const due = [...this.#planned].filter(({ dueAt }) => dueAt <= this.now()).sort((a, b) => a.dueAt - b.dueAt);
    for (const timer of due) this.#planned.delete(timer);
    return due;
  }
}

/** A task that fails is reported and stops no other. */
async function run({ task }: Planned): Promise<void> {
  try {
    await task();
  } catch (error) {
    console.error("a planned task failed", error);
  }
}
