/** A task scheduled on a {@link VirtualClock}. */
export interface Timer {
  readonly dueAt: number;
  cancel(): void;
}

interface ScheduledTimer extends Timer {
  task: () => void | Promise<void>;
}

/** The longest delay setTimeout takes without overflowing (about 24.8 days). */
const MAX_REAL_DELAY_MS = 2 ** 31 - 1;

/**
 * The clock of the local cloud: real time plus an offset that only grows.
 * Queue delays, retries, wait states, schedules and expiries set their timers here. {@link VirtualClock.advanceTo}
 * therefore runs days of due tasks in seconds, in time order.
 */
export class VirtualClock {
  #offsetMs: number;
  #frozenAt: number | undefined;
  #planned = new Set<ScheduledTimer>();
  #timeout: NodeJS.Timeout | undefined;
  #advancing: Promise<unknown> = Promise.resolve();

  /** @param offsetMs milliseconds by which this clock is ahead of real time; the caller stores it across restarts. */
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
   * Schedules `task` for the instant `dueAt` (epoch ms). A task whose instant is in the past runs as soon as possible.
   * Instants are rounded up to whole milliseconds, because stores keep whole milliseconds.
   */
  at(dueAt: number, task: () => void | Promise<void>): Timer {
    const timer: ScheduledTimer = {
      dueAt: Math.ceil(dueAt),
      task,
      cancel: () => void this.#planned.delete(timer),
    };
    this.#planned.add(timer);
    this.#armTimeout();
    return timer;
  }

  /** The earliest scheduled instant, or undefined when no task is scheduled. */
  nextDueAt(): number | undefined {
    return this.#earliest()?.dueAt;
  }

  /**
   * Moves the clock forward to `until` and stops at every scheduled instant on the way. Time is frozen at each stop.
   * All tasks of the instant run, then `settle` waits for their consequences, which may schedule more tasks.
   * Overlapping calls run one after the other.
   */
  advanceTo(until: number, settle: () => Promise<void>): Promise<void> {
    const advance = this.#advancing.then(() => this.#advance(Math.ceil(until), settle));
    this.#advancing = advance.catch(() => undefined);
    return advance;
  }

  async #advance(until: number, settle: () => Promise<void>): Promise<void> {
    clearTimeout(this.#timeout);
    try {
      for (let next = this.#earliest(); next && next.dueAt <= until; next = this.#earliest()) {
        this.#frozenAt = Math.max(this.now(), next.dueAt);
        // Sequential: a task must see the timers that an earlier task of the same instant set or cancelled.
        for (const timer of this.#takeDue()) await run(timer);
        await settle();
      }
    } finally {
      const reached = Math.max(this.now(), until);
      this.#frozenAt = undefined;
      this.#offsetMs += Math.max(0, reached - this.now());
      this.#armTimeout();
    }
  }

  /** Cancels all timers. */
  stop(): void {
    this.#planned.clear();
    clearTimeout(this.#timeout);
  }

  #earliest(): ScheduledTimer | undefined {
    let first: ScheduledTimer | undefined;
    for (const timer of this.#planned) if (!first || timer.dueAt < first.dueAt) first = timer;
    return first;
  }

  #armTimeout(): void {
    clearTimeout(this.#timeout);
    const first = this.#earliest();
    if (!first || this.#frozenAt !== undefined) return;
    const delayMs = Math.min(Math.max(0, first.dueAt - this.now()), MAX_REAL_DELAY_MS);
    this.#timeout = setTimeout(() => {
      // In real time tasks run concurrently: a slow task must not delay the tasks that become due after it.
      for (const timer of this.#takeDue()) void run(timer);
      this.#armTimeout();
    }, delayMs);
  }

  /** Removes the due tasks from the schedule and returns them in time order. */
  #takeDue(): ScheduledTimer[] {
    const due = [...this.#planned].filter(({ dueAt }) => dueAt <= this.now()).sort((a, b) => a.dueAt - b.dueAt);
    for (const timer of due) this.#planned.delete(timer);
    return due;
  }
}

/** Runs a task. A failure is logged and does not stop other tasks. */
async function run({ task }: ScheduledTimer): Promise<void> {
  try {
    await task();
  } catch (error) {
    console.error("a scheduled task failed", error);
  }
}
