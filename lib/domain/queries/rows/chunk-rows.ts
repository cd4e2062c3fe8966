import type { ToFloatingTime } from "../../shared/local-day.ts";
import { type CellColumn, type ChunkColumns, cellAt } from "../../timeseries/chunk/chunk-columns.ts";
import type { SampleSlice } from "../../timeseries/chunk/sample-slice.ts";
import { type CellReader, type RowSet, SourceIndex } from "./row-set.ts";
import type { CellValue, RowSource } from "./rows.ts";
import { resolveTimeseries, sampleCellReaders } from "./sample-rows.ts";

/** Builds the row set of a timeseries from stored columns, without an object for each sample. */
export function chunkRows(timeseries: string, slices: readonly SampleSlice[], floatingOf: ToFloatingTime): RowSet {
  const resource = resolveTimeseries(timeseries);
  const count = slices.reduce((sum, { from, to }) => sum + to - from, 0);
  const begins = new Float64Array(count);
  const ends = new Float64Array(count);
  const floating = new Float64Array(count);
  const sourceOf = new Uint32Array(count);
  const sliceOf = new Uint32Array(count);
  const placeOf = new Uint32Array(count);
  const list = new SourceIndex();
  let row = 0;
  for (const [slice, { columns, from, to, ...origin }] of slices.entries()) {
    const { starts, ends: stops, offsetsS } = columns;
    begins.set(starts.subarray(from, to), row);
    sourceOf.fill(list.indexOf(sliceSource(origin)), row, row + to - from);
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
  const cells = sampleCellReaders(resource, frame, (name) => storedField(name, slices, sliceOf, placeOf));
  return { ...frame, ...cells, numbers: (column) => (column === "value" ? storedValues(slices, count) : undefined) };
}

/** The source of a slice, with its device and app. */
export const sliceSource = ({ provider, sourceType, deviceId, appId }: Origin): RowSource => ({
  provider,
  type: sourceType,
  device_id: deviceId,
  app_id: appId,
});
type Origin = Omit<SampleSlice, "columns" | "from" | "to">;

/** The values of all rows as one array. Stored columns hold NaN for samples without a number. */
function storedValues(slices: readonly SampleSlice[], count: number): Float64Array {
  const values = new Float64Array(count);
  let row = 0;
  for (const { columns, from, to } of slices) {
    values.set(columns.values.numbers.subarray(from, to), row);
    row += to - from;
  }
  return values;
}

/** Reads a sample field by its wire name. */
function storedField(
  name: string,
  slices: readonly SampleSlice[],
  sliceOf: Uint32Array,
  placeOf: Uint32Array,
): CellReader {
  const read = fieldReader(name);
  const cells = slices.map(({ columns }) => read(columns));
  return (row) => cells[sliceOf[row] ?? 0]?.(placeOf[row] ?? 0) ?? null;
}

function fieldReader(name: string): (columns: ChunkColumns) => ((place: number) => CellValue | undefined) | undefined {
  if (name === "value") return ({ values }) => readCell(values);
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
    return cells && readCell(cells);
  };
}

const readCell = (cells: CellColumn) => (place: number) => cellAt(cells, place) as CellValue | undefined;
const finiteOrNull = (value = Number.NaN) => (Number.isNaN(value) ? null : value);
