import { type Cells, type ChunkColumns, cellAt } from "../chunk/columns.ts";
import type { FloatingOf } from "../local-day.ts";
import { type Cell, type RowSet, SourceList } from "./row-set.ts";
import type { RowSource, Value } from "./rows.ts";
import { queriedResource, sampleCells } from "./sample-rows.ts";

/** Stored samples of one source: positions `from` (inclusive) to `to` (exclusive). */
export interface StoredSlice {
  readonly provider: string;
  readonly sourceType: string;
  readonly columns: ChunkColumns;
  readonly from: number;
  readonly to: number;
}

/** Builds the row set of a timeseries from stored columns, without an object for each sample. */
export function chunkRows(timeseries: string, slices: readonly StoredSlice[], floatingOf: FloatingOf): RowSet {
  const resource = queriedResource(timeseries);
  const count = slices.reduce((sum, { from, to }) => sum + to - from, 0);
  const begins = new Float64Array(count);
  const ends = new Float64Array(count);
  const floating = new Float64Array(count);
  const sourceOf = new Uint32Array(count);
  const sliceOf = new Uint32Array(count);
  const placeOf = new Uint32Array(count);
  const list = new SourceList();
  let row = 0;
  for (const [slice, { columns, from, to, provider, sourceType }] of slices.entries()) {
    const { starts, ends: stops, offsetsS } = columns;
    begins.set(starts.subarray(from, to), row);
    sourceOf.fill(list.numberOf({ provider, type: sourceType }), row, row + to - from);
    sliceOf.fill(slice, row, row + to - from);
    for (let place = from; place < to; place++, row++) {
      const begin = starts[place] as number;
      const end = stops[place] as number;
      ends[row] = Number.isNaN(end) ? begin : end;
      floating[row] = floatingOf(begin, offsetsS[place] as number);
      placeOf[row] = place;
    }
  }
  const sources: readonly RowSource[] = list.sources;
  const frame = { count, instants: begins, floating, begins, ends, sourceOf, sources };
  const cells = sampleCells(resource, frame, (name) => stored(name, slices, sliceOf, placeOf));
  return { ...frame, ...cells, numbers: (column) => (column === "value" ? valuesOf(slices, count) : undefined) };
}

/** The values of all rows as one array. Stored columns hold NaN for samples without a number. */
function valuesOf(slices: readonly StoredSlice[], count: number): Float64Array {
  const values = new Float64Array(count);
  let row = 0;
  for (const { columns, from, to } of slices) {
    values.set(columns.values.numbers.subarray(from, to), row);
    row += to - from;
  }
  return values;
}

/** Reads a sample field by its wire name. */
function stored(name: string, slices: readonly StoredSlice[], sliceOf: Uint32Array, placeOf: Uint32Array): Cell {
  const read = readerOf(name);
  const cells = slices.map(({ columns }) => read(columns));
  return (row) => cells[sliceOf[row] ?? 0]?.(placeOf[row] ?? 0) ?? null;
}

function readerOf(name: string): (columns: ChunkColumns) => ((place: number) => Value | undefined) | undefined {
  if (name === "value") return ({ values }) => cellOf(values);
  if (name === "type")
    return ({ types, subtypes }) =>
      (place) =>
        subtypes[place] ?? types[place];
  if (name === "timezone_offset")
    return ({ offsetsS }) =>
      (place) =>
        finiteOrNull(offsetsS[place]);
  return ({ fields }) => {
    const cells = fields.find((field) => field.name === name)?.cells;
    return cells && cellOf(cells);
  };
}

const cellOf = (cells: Cells) => (place: number) => cellAt(cells, place) as Value | undefined;
const finiteOrNull = (value = Number.NaN) => (Number.isNaN(value) ? null : value);
