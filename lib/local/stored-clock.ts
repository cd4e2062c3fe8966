import * as z from "zod";
import type { VirtualClock } from "./clock.ts";
import type { DataDirectory } from "./data-directory.ts";
import type { ScheduleRunner } from "./events/schedule-runner.ts";
import { StartRefused } from "./start-refused.ts";

const FILE = "clock.json";
const storedClock = z.object({ offset_ms: z.number() });

/**
 * Reads by how many milliseconds the clock of a data directory is ahead of real time; 0 before the first advance.
 * @throws StartRefused when the file is damaged.
 */
export function readClockOffset(data: DataDirectory): number {
  const stored = data.read(FILE);
  if (stored === undefined) return 0;
  const parsed = storedClock.safeParse(stored);
  if (!parsed.success) throw new StartRefused(`${data.file(FILE)} is damaged; delete ${data.path} to start over`);
  return parsed.data.offset_ms;
}

/** Advances a clock and stores its offset for the next start. */
export class StoredClock {
  readonly #clock: VirtualClock;
  readonly #schedules: ScheduleRunner;
  readonly #data: DataDirectory;
  #advancing: Promise<unknown> = Promise.resolve();

  constructor(data: DataDirectory, clock: VirtualClock, schedules: ScheduleRunner) {
    this.#data = data;
    this.#clock = clock;
    this.#schedules = schedules;
  }

  /**
   * Moves the clock forward and runs everything that becomes due on the way, in time order. Advances at the same time
   * run one after the other, so they add up.
   * @returns the new time, epoch ms.
   */
  advance(milliseconds: number, settle: () => Promise<void>): Promise<number> {
    const advance = this.#advancing.then(() => this.#advance(milliseconds, settle));
    this.#advancing = advance.catch(() => undefined);
    return advance;
  }

  async #advance(milliseconds: number, settle: () => Promise<void>): Promise<number> {
    const until = this.#clock.now() + milliseconds;
    // Written before anything runs: after a crash the clock must not be behind an instant that is already stored.
    this.#write(this.#clock.offsetMs + milliseconds);
    try {
      await this.#schedules.advanceTo(until, settle);
    } finally {
      this.#write(this.#clock.offsetMs);
    }
    return this.#clock.now();
  }

  #write(offset_ms: number): void {
    this.#data.write(FILE, { offset_ms });
  }
}
