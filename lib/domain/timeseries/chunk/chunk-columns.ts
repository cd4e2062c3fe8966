import { compareText } from "../../shared/compare-text.ts";
import type { Atom } from "./atom-table.ts";
import type { Chunk, FieldValue, Run, Sample, StoredSample } from "./sample.ts";

/** Content of a cell: absent, null, a number (in `numbers`), or a string or list (in `atoms`). */
export const CellKind = { absent: 0, null: 1, number: 2, atom: 3 } as const;

/** A column of mixed-type cells, one per sample. */
export interface CellColumn {
  kinds: Uint8Array;
  /** NaN where the cell is not a number. */
  numbers: Float64Array;
  /** Empty when the column has no string and no list. */
  atoms: (Atom | null)[];
}

/**
 * A chunk as parallel columns of equal length, in sample order. Reading a large window over columns avoids an object
 * per sample. Instants are epoch milliseconds, offsets seconds.
 */
export interface ChunkColumns {
  count: number;
  starts: Float64Array;
  /** NaN where the sample is not an interval. */
  ends: Float64Array;
  /** NaN where the source sent no offset. */
  offsetsS: Float64Array;
  types: (string | null)[];
  subtypes: (string | null)[];
  /** Absent where the sample was deleted. */
  values: CellColumn;
  /** Extra fields by name, ascending. */
  fields: { name: string; cells: CellColumn }[];
  /** Index into `runs`. */
  runOf: Float64Array;
  runs: Run[];
}

/** Converts the samples of a chunk to columns. */
export function chunkToColumns({ samples, runs }: Chunk): ChunkColumns {
  const names = new Set(samples.flatMap((sample) => (sample.fields ? Object.keys(sample.fields) : [])));
  const column = (pick: (sample: StoredSample) => number) => {
    const numbers = new Float64Array(samples.length);
    for (const [index, sample] of samples.entries()) numbers[index] = pick(sample);
    return numbers;
  };
  return {
    count: samples.length,
    starts: column((sample) => sample.start),
    ends: column((sample) => orNaN(sample.end)),
    offsetsS: column((sample) => orNaN(sample.offsetS)),
    types: samples.map((sample) => sample.type),
    subtypes: samples.map((sample) => sample.subtype ?? null),
    values: toCells(samples, ({ value, isDeleted }) => (isDeleted ? undefined : value)),
    fields: [...names].sort(compareText).map((name) => ({
      name,
      cells: toCells(samples, ({ fields }) => (fields && Object.hasOwn(fields, name) ? fields[name] : undefined)),
    })),
    runOf: column((sample) => sample.run),
    runs,
  };
}

/** Converts the columns of a chunk to samples. */
export function columnsToChunk(columns: ChunkColumns): Chunk {
  return { samples: Array.from({ length: columns.count }, (_, index) => sampleAt(columns, index)), runs: columns.runs };
}

/** The sample at an index of the columns. */
export function sampleAt(columns: ChunkColumns, index: number): StoredSample {
  const end = columns.ends[index] ?? Number.NaN;
  const offsetS = columns.offsetsS[index] ?? Number.NaN;
  const subtype = columns.subtypes[index] ?? null;
  const value = cellAt(columns.values, index);
  const sample: StoredSample = {
    start: columns.starts[index] ?? 0,
    value: typeof value === "object" || value === undefined ? null : value,
    offsetS: Number.isNaN(offsetS) ? null : offsetS,
    type: columns.types[index] ?? null,
    run: columns.runOf[index] ?? 0,
  };
  if (!Number.isNaN(end)) sample.end = end;
  if (subtype !== null) sample.subtype = subtype;
  if (value === undefined) sample.isDeleted = true;
  const fields = fieldsAt(columns, index);
  if (fields) sample.fields = fields;
  return sample;
}

function fieldsAt({ fields }: ChunkColumns, index: number): Sample["fields"] {
  if (fields.length === 0) return undefined;
  const present = fields.flatMap(({ name, cells }): [string, FieldValue][] => {
    const value = cellAt(cells, index);
    return value === undefined ? [] : [[name, value]];
  });
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}

/** The value of one cell; undefined when absent. */
export function cellAt({ kinds, numbers, atoms }: CellColumn, index: number): FieldValue | undefined {
  const kind = kinds[index];
  if (kind === CellKind.number) return numbers[index];
  if (kind === CellKind.atom) return atoms[index] ?? null;
  return kind === CellKind.null ? null : undefined;
}

/** NaN for a missing value. A NaN in the data becomes Infinity, so that the check rejects it instead of dropping it. */
function orNaN(value: number | null | undefined): number {
  if (value === undefined || value === null) return Number.NaN;
  return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
}

function toCells(samples: StoredSample[], pick: (sample: StoredSample) => FieldValue | undefined): CellColumn {
  const kinds = new Uint8Array(samples.length);
  const numbers = new Float64Array(samples.length).fill(Number.NaN);
  const atoms: (Atom | null)[] = [];
  for (const [index, sample] of samples.entries()) {
    const value = pick(sample);
    if (typeof value === "number") {
      kinds[index] = CellKind.number;
      numbers[index] = value;
    } else if (value === null) kinds[index] = CellKind.null;
    else if (value !== undefined) {
      kinds[index] = CellKind.atom;
      atoms[index] = value;
    }
  }
  return { kinds, numbers, atoms };
}
