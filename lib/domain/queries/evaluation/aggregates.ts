import type { functionNames } from "../expressions/expressions.ts";
import type { CellReader } from "../rows/row-set.ts";
import type { CellValue } from "../rows/rows.ts";

export type FunctionName = (typeof functionNames)[number];

/**
 * Row order for `oldest` and `newest`. Rows of the same instant are ordered by source rank: the better source wins
 * both.
 */
export interface RowOrder {
  readonly instants: Float64Array;
  readonly rankOf: (row: number) => number;
}

/** Aggregates a column over rows and skips nulls. Returns null when no row has a value. */
export function aggregate(func: FunctionName, cell: CellReader, rows: readonly number[], order: RowOrder): CellValue {
  if (func === "count") return rows.reduce((count, row) => (cell(row) === null ? count : count + 1), 0);
  if (func === "min" || func === "max") return minOrMax(cell, rows, func === "min" ? -1 : 1);
  if (func === "oldest" || func === "newest") return oldestOrNewest(cell, rows, order, func === "oldest" ? -1 : 1);
  return aggregateNumbers(func, numericValues(cell, rows));
}

/** Totals of one group, computed in one pass. */
interface Totals {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/**
 * A numeric column as one array, with NaN for missing values. Totals of a group are computed once and shared by all
 * functions.
 */
export class NumberColumn {
  readonly #numbers: Float64Array;
  readonly #totals = new Map<readonly number[], Totals>();

  constructor(numbers: Float64Array) {
    this.#numbers = numbers;
  }

  aggregate(func: Exclude<FunctionName, "oldest" | "newest">, rows: readonly number[]): number | null {
    const totals = this.#totals.get(rows) ?? this.#add(rows);
    if (func === "count") return totals.count;
    if (totals.count === 0) return null;
    if (func === "median" || func === "stddev") return aggregateNumbers(func, this.#picked(rows));
    return func === "mean" ? totals.sum / totals.count : totals[func];
  }

  #add(rows: readonly number[]): Totals {
    const numbers = this.#numbers;
    let [count, sum, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const row of rows) {
      const number = numbers[row] as number;
      if (Number.isNaN(number)) continue;
      count++;
      sum += number;
      if (number < min) min = number;
      if (number > max) max = number;
    }
    const totals = { count, sum, min, max };
    this.#totals.set(rows, totals);
    return totals;
  }

  #picked(rows: readonly number[]): Float64Array {
    return Float64Array.from(rows, (row) => this.#numbers[row] as number).filter((number) => !Number.isNaN(number));
  }
}

/** The numeric values of a column, without nulls and other types. */
function numericValues(cell: CellReader, rows: readonly number[]): Float64Array {
  const numbers = new Float64Array(rows.length);
  let count = 0;
  for (const row of rows) {
    const value = cell(row);
    if (typeof value === "number") numbers[count++] = value;
  }
  return numbers.subarray(0, count);
}

function aggregateNumbers(func: "mean" | "sum" | "median" | "stddev", numbers: Float64Array): number | null {
  if (numbers.length === 0) return null;
  if (func === "median") return median(numbers);
  let sum = 0;
  for (const number of numbers) sum += number;
  if (func === "sum") return sum;
  const mean = sum / numbers.length;
  return func === "mean" ? mean : standardDeviation(numbers, mean);
}

function median(numbers: Float64Array): number {
  const sorted = numbers.toSorted();
  const middle = sorted.length >>> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** Sample standard deviation (divisor n - 1). Null for fewer than two values. */
function standardDeviation(numbers: Float64Array, mean: number): number | null {
  if (numbers.length < 2) return null;
  let squares = 0;
  for (const number of numbers) squares += (number - mean) ** 2;
  return Math.sqrt(squares / (numbers.length - 1));
}

/** The smallest (-1) or largest (1) value: numbers by size, strings by code unit, false before true. */
function minOrMax(cell: CellReader, rows: readonly number[], sign: 1 | -1): CellValue {
  let found: CellValue = null;
  for (const row of rows) {
    const value = cell(row);
    if (value !== null && (found === null || (sign === 1 ? value > found : value < found))) found = value;
  }
  return found;
}

function oldestOrNewest(
  cell: CellReader,
  rows: readonly number[],
  { instants, rankOf }: RowOrder,
  sign: 1 | -1,
): CellValue {
  let found: CellValue = null;
  let at = -1;
  for (const row of rows) {
    const value = cell(row);
    if (value === null) continue;
    const later = at < 0 ? 1 : sign * ((instants[row] ?? 0) - (instants[at] ?? 0));
    if (later > 0 || (later === 0 && rankOf(row) < rankOf(at))) {
      found = value;
      at = row;
    }
  }
  return found;
}
