/** What a value or an extra field may be; a list holds strings only (for example the tags of a note). */
export type FieldValue = number | string | null | readonly string[];

/** One timeseries sample. Its unit is fixed by its resource, so it is stated there and not here. */
export interface Sample {
  /** Epoch milliseconds; with `subtype` the identity of the sample within its chunk. */
  start: number;
  /** Epoch milliseconds, intervals only. Not part of the identity: a growing interval overwrites itself. */
  end?: number;
  value: number | string | null;
  /** Offset from UTC in seconds where the source told it. */
  offsetS: number | null;
  type: string | null;
  /** Where one resource holds several values at one instant: "ldl" and "hdl", an ECG lead. Absent and "" are the same. */
  subtype?: string;
  /** Rare further fields, for example systolic, diastolic, intensity, delivery_mode, tags. */
  fields?: Readonly<Record<string, FieldValue>>;
  /** Taken back by its source. It is kept without a value, so that an older batch that is late does not bring it again. */
  isDeleted?: true;
}

/** One receipt of a batch. Receipts are ordered by `receivedAt` (epoch milliseconds), ties by `batchId`. */
export interface Receipt {
  receivedAt: number;
  batchId: string;
}

/**
 * Where a stored value came from: the receipt that set it, whether its key was new to this store then, and the newest
 * receipt that brought the same value again. The last one decides which of two values is the later one.
 */
export interface Run extends Receipt {
  verb: "created" | "updated";
  confirmedBy?: Receipt;
}

/** A sample within its chunk; `run` is an index into the runs of the chunk. */
export interface StoredSample extends Sample {
  run: number;
}

/** All samples of one user, resource, provider, source type and time bucket, ordered by start, then subtype. */
export interface Chunk {
  samples: StoredSample[];
  runs: Run[];
}

/** Orders samples by their identity; 0 means that both are the same sample. */
export function compareKeys(a: Sample, b: Sample): number {
  return a.start - b.start || compareText(a.subtype ?? "", b.subtype ?? "");
}

/** Names a sample within its stream by its identity, for maps and sets. */
export const sampleName = ({ start, subtype }: Pick<Sample, "start" | "subtype">): string =>
  `${start}#${subtype ?? ""}`;

/** Orders strings by code unit, the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two samples of one key say the same. 0 and -0 differ, so that what is stored is exactly what was sent. */
export function sameContent(a: Sample, b: Sample): boolean {
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
