import { compareText } from "../../shared/compare-text.ts";

/** A value or an extra field. A list holds strings only (for example the tags of a note). */
export type FieldValue = number | string | null | readonly string[];

/** One timeseries sample. Its resource defines the unit. */
export interface Sample {
  /** Epoch milliseconds; with `subtype` the identity of the sample within its chunk. */
  start: number;
  /** Epoch milliseconds, intervals only. Not part of the identity: a growing interval overwrites itself. */
  end?: number;
  value: number | string | null;
  /** Offset from UTC in seconds; null when the source sends none. */
  offsetS: number | null;
  type: string | null;
  /**
   * Distinguishes several values of one resource at one instant: "ldl" and "hdl", an ECG lead. Absent and "" are equal.
   */
  subtype?: string;
  /** Rare extra fields, for example systolic, diastolic, intensity, delivery_mode, tags. */
  fields?: Readonly<Record<string, FieldValue>>;
  /**
   * Deleted by its source. A tombstone without a value stays, so that a late, older batch does not restore the sample.
   */
  isDeleted?: true;
}

/** One receipt of a batch. Receipts are ordered by `receivedAt` (epoch milliseconds), then by `batchId`. */
export interface BatchReceipt {
  receivedAt: number;
  batchId: string;
}

/**
 * Provenance of a stored value: the receipt that set it, whether its key was new to this store, and the newest receipt
 * that repeated the value. That last receipt decides which of two values is later.
 */
export interface Run extends BatchReceipt {
  verb: "created" | "updated";
  confirmedBy?: BatchReceipt;
}

/** A sample in its chunk; `run` is an index into the chunk's runs. */
export interface StoredSample extends Sample {
  run: number;
}

/** All samples of one user, resource, source, recorder and time bucket, ordered by start, then subtype. */
export interface Chunk {
  samples: StoredSample[];
  runs: Run[];
}

/** Compares samples by identity; 0 means the same sample. */
export function compareSampleKeys(a: Sample, b: Sample): number {
  return a.start - b.start || compareText(a.subtype ?? "", b.subtype ?? "");
}

/** Key of a sample within its timeseries, for maps and sets. */
export const sampleKey = ({ start, subtype }: Pick<Sample, "start" | "subtype">): string => `${start}#${subtype ?? ""}`;

/**
 * Whether two samples of one key have equal content. 0 and -0 differ, so that the store keeps exactly what was sent.
 */
export function hasSameContent(a: Sample, b: Sample): boolean {
  return (
    Object.is(a.value, b.value) &&
    a.isDeleted === b.isDeleted &&
    a.end === b.end &&
    a.offsetS === b.offsetS &&
    a.type === b.type &&
    sameFields(a.fields ?? {}, b.fields ?? {})
  );
}

function sameFields(a: Readonly<Record<string, FieldValue>>, b: Readonly<Record<string, FieldValue>>): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameField(a[name], b[name]))
  );
}

function sameField(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b);
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
