import type { Placement } from "./request-builder.ts";

/** How many records a request brought in, as its receipt tells. */
export interface StoreOutcome {
  readonly stored: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Accounts for everything that is read: in the end each record is in exactly one of the other columns. */
export class Ledger {
  /** Elements of the export, and files beside it. */
  read = 0;
  /** Summaries made out of several elements, in addition to those read. */
  derived = 0;
  /** New at the service. */
  stored = 0;
  /** Another value was there for the key: from an earlier import, or from a record before it in the file. */
  updated = 0;
  unchanged = 0;
  /** Refused by the service, by its reasons. */
  readonly rejected = new Map<string, number>();
  /** Fields that records were stored without, by name and reason; those records are counted elsewhere. */
  readonly dropped = new Map<string, number>();
  /** Not sent, by reason. */
  readonly leftOut = new Map<string, number>();

  leaveOut(reason: string, count = 1): void {
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + count);
  }

  drop(field: string): void {
    this.dropped.set(field, (this.dropped.get(field) ?? 0) + 1);
  }

  reject(reason: string, count = 1): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + count);
  }

  /** A record that took the place of another one in its request is an update of that, or the same again. */
  place(placement: Placement): void {
    if (placement === "replaced") this.updated++;
    if (placement === "same") this.unchanged++;
  }

  settle({ stored, updated, unchanged }: StoreOutcome): void {
    this.stored += stored;
    this.updated += updated;
    this.unchanged += unchanged;
  }

  /** Records that are accounted for more than once (positive) or not at all (negative); 0 when the totals add up. */
  get difference(): number {
    const settled = this.stored + this.updated + this.unchanged;
    return settled + sumOf(this.rejected) + sumOf(this.leftOut) - this.read - this.derived;
  }
}

/** The sum of all counts. */
export function sumOf(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}
