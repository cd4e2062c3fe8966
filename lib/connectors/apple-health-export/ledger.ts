import type { Placement } from "./request-builder.ts";

/** The record counts of a receipt. */
export interface StoreOutcome {
  readonly stored: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Totals of an import. At the end, each record read or derived counts in exactly one of the other totals. */
export class Ledger {
  /** Elements of the export and other files in the archive. */
  read = 0;
  /** Summaries derived from several elements, in addition to `read`. */
  derived = 0;
  /** New records. */
  stored = 0;
  /** Records that replaced another value of their key, from an earlier import or from the same file. */
  updated = 0;
  unchanged = 0;
  /** Records that the service rejected, by reason. */
  readonly rejected = new Map<string, number>();
  /** Dropped fields of stored records, by name and reason. The records count elsewhere. */
  readonly dropped = new Map<string, number>();
  /** Elements that were not sent, by reason. */
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

  /** Counts a record that replaced another one in its request as updated, or as unchanged if it is equal. */
  place(placement: Placement): void {
    if (placement === "replaced") this.updated++;
    if (placement === "same") this.unchanged++;
  }

  settle({ stored, updated, unchanged }: StoreOutcome): void {
    this.stored += stored;
    this.updated += updated;
    this.unchanged += unchanged;
  }

  /** Records counted twice (positive) or not at all (negative); 0 if the totals add up. */
  get difference(): number {
    const settled = this.stored + this.updated + this.unchanged;
    return settled + sumOf(this.rejected) + sumOf(this.leftOut) - this.read - this.derived;
  }
}

/** Sums all counts. */
export function sumOf(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}
