import type { Recovery } from "../../whoop/replies.ts";

/** The recovery of a sleep. */
export type RecoveryScore = NonNullable<Recovery["score"]>;

/** The recoveries of the file of cycles, by the start of the sleep that each derives from. */
export class WhoopRecoveries {
  readonly #byStart = new Map<string, RecoveryScore>();

  add(sleepStart: string, recovery: RecoveryScore): void {
    this.#byStart.set(sleepStart, recovery);
  }

  of(sleepStart: string): RecoveryScore | undefined {
    return this.#byStart.get(sleepStart);
  }
}
