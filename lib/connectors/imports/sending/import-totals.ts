import type { RefusedRecord } from "./ingest-client.ts";

/** Maximum number of refused records that an import names for each reason. */
const MAX_EXAMPLES = 3;

const DAMAGED_FILE = "damaged file";

/** The record counts of a receipt. */
export interface ReceiptCounts {
  readonly stored: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Totals of an import. At the end, each record read or derived counts in exactly one of the other totals. */
export class ImportTotals {
  /** Records of the export and other files in the archive. */
  read = 0;
  /** Summaries derived from several records, in addition to `read`. */
  derived = 0;
  /** New records. */
  stored = 0;
  /** Records that replaced another value of their key. */
  updated = 0;
  unchanged = 0;
  /** Records that the service rejected, by reason. */
  readonly rejected = new Map<string, number>();
  /** The first refused records of each reason, with the number of their request. */
  readonly examples = new Map<string, (RefusedRecord & { readonly request: number })[]>();
  /** Dropped fields of stored records, by name and reason. The records count elsewhere. */
  readonly dropped = new Map<string, number>();
  /** Records and files that were not sent, by reason. */
  readonly leftOut = new Map<string, number>();

  /** The first damaged files. */
  readonly damaged: { readonly path: string; readonly detail: string }[] = [];

  countLeftOut(reason: string, count = 1): void {
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + count);
  }

  countDroppedField(field: string): void {
    this.dropped.set(field, (this.dropped.get(field) ?? 0) + 1);
  }

  countRejected(reason: string, count = 1): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + count);
  }

  /** Counts a damaged file, and keeps the first ones. Records read before the damage count as well. */
  addDamaged(path: string, detail: string): void {
    this.countLeftOut(DAMAGED_FILE);
    if (this.damaged.length < MAX_EXAMPLES) this.damaged.push({ path, detail });
  }

  /** Counts a refused record, and keeps the first ones of each reason. @param request its number, from 1. */
  addRefused(refused: RefusedRecord, request: number): void {
    this.countRejected(refused.reason);
    const known = this.examples.get(refused.reason) ?? [];
    if (known.length < MAX_EXAMPLES) this.examples.set(refused.reason, [...known, { ...refused, request }]);
  }

  addReceipt({ stored, updated, unchanged }: ReceiptCounts): void {
    this.stored += stored;
    this.updated += updated;
    this.unchanged += unchanged;
  }

  /** Records counted twice (positive) or not at all (negative); 0 if the totals add up. */
  get difference(): number {
    const settled = this.stored + this.updated + this.unchanged;
    return settled + sumCounts(this.rejected) + sumCounts(this.leftOut) - this.read - this.derived;
  }
}

/** Sums all counts. */
export function sumCounts(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}
