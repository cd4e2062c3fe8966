import { compareText } from "../../shared/compare-text.ts";
import type { CellColumn, ChunkColumns } from "./chunk-columns.ts";
import { CellKind } from "./chunk-columns.ts";

/**
 * Maximum number of samples (and of runs) in one chunk: three days at one per second. Also bounds what corrupt bytes
 * can allocate.
 */
export const MAX_SAMPLES_PER_CHUNK = 2 ** 18;
/** Maximum number of distinct extra fields in one chunk. */
export const MAX_FIELDS_PER_CHUNK = 32;
/** Maximum magnitude of an instant or offset (year 10889), so that differences of instants fit an integer column. */
const MAX_INSTANT_MS = 2 ** 48;

/** Returns the reason why columns are not a valid chunk, or undefined. Encoder and decoder both reject such columns. */
export function findColumnDefect(columns: ChunkColumns): string | undefined {
  const { count, starts, ends, offsetsS, values, fields, runs, runOf } = columns;
  if (count > MAX_SAMPLES_PER_CHUNK || runs.length > MAX_SAMPLES_PER_CHUNK)
    return `more than ${MAX_SAMPLES_PER_CHUNK} samples or runs`;
  if (fields.length > MAX_FIELDS_PER_CHUNK) return `more than ${MAX_FIELDS_PER_CHUNK} extra fields`;
  if (!areInstants(starts)) return "start is not an instant";
  if (!areInstants(ends, true)) return "end is not an instant";
  if (!areInstants(offsetsS, true)) return "timezone offset is not an integer";
  if (!isOrdered(columns)) return "samples are not in ascending order of start and subtype";
  if (![values, ...fields.map((field) => field.cells)].every(holdsFiniteNumbers)) return "number is not finite";
  if (values.atoms.some(Array.isArray)) return "value is a list";
  if (!areBelow(runOf, runs.length)) return "sample refers to an unknown run";
  const receipts = runs.flatMap((run) => (run.confirmedBy ? [run, run.confirmedBy] : [run]));
  if (!receipts.every((receipt) => isInstant(receipt.receivedAt))) return "receivedAt is not an instant";
  return undefined;
}

// Loops instead of `every`: every chunk read runs this, and calls cost more than the comparisons.
function areInstants(values: Float64Array, mayBeAbsent = false): boolean {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (!(isInstant(value) || (mayBeAbsent && Number.isNaN(value)))) return false;
  }
  return true;
}

function areBelow(values: Float64Array, limit: number): boolean {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (!(value >= 0 && value < limit)) return false;
  }
  return true;
}

function isInstant(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= MAX_INSTANT_MS;
}

function holdsFiniteNumbers({ kinds, numbers }: CellColumn): boolean {
  for (let index = 0; index < numbers.length; index++)
    if (kinds[index] === CellKind.number && !Number.isFinite(numbers[index])) return false;
  return true;
}

function isOrdered({ starts, subtypes }: ChunkColumns): boolean {
  for (let index = 1; index < starts.length; index++) {
    const [before, start] = [starts[index - 1] as number, starts[index] as number];
    if (before < start) continue;
    if (before !== start || compareText(subtypes[index - 1] ?? "", subtypes[index] ?? "") >= 0) return false;
  }
  return true;
}
