import type { Cell } from "./postfix-condition.ts";

/** A value and its time (epoch milliseconds or days; any ordered number). */
export interface TimedValue {
  readonly at: number;
  readonly value: Cell;
}

const numbersOf = (cells: readonly Cell[]) => cells.map((cell) => Number(cell));
const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

function extreme(cells: readonly Cell[], sign: 1 | -1): Cell {
  return cells.reduce((best, cell) => {
    if (best === null || cell === null) return best ?? cell;
    return (cell < best ? sign : -sign) > 0 && cell !== best ? cell : best;
  }, null);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const above = sorted
    .filter((_, index) => index >= Math.floor((sorted.length - 1) / 2))
    .slice(0, 2 - (sorted.length % 2));
  return total(above) / above.length;
}

/** The sample standard deviation; null for one value. */
function standardDeviation(numbers: readonly number[]): number | null {
  if (numbers.length < 2) return null;
  const mean = total(numbers) / numbers.length;
  return Math.sqrt(total(numbers.map((number) => (number - mean) ** 2)) / (numbers.length - 1));
}

/** The oldest or newest value. Of equally old values it takes the first, from the best source. */
function oldestOrNewest(values: readonly TimedValue[], isOldest: boolean): Cell {
  const times = values.map(({ at }) => at);
  const wanted = isOldest ? Math.min(...times) : Math.max(...times);
  return values.find(({ at }) => at === wanted)?.value ?? null;
}

/**
 * Applies an aggregate function to the values that are present. Without values the result is null, but 0 for a count.
 */
export function aggregateValues(func: string, values: readonly TimedValue[]): Cell {
  const given = values.filter(({ value }) => value !== null);
  const cells = given.map(({ value }) => value);
  if (func === "count") return cells.length;
  if (cells.length === 0) return null;
  const functions: Record<string, () => Cell> = {
    min: () => extreme(cells, 1),
    max: () => extreme(cells, -1),
    sum: () => total(numbersOf(cells)),
    mean: () => total(numbersOf(cells)) / cells.length,
    median: () => median(numbersOf(cells)),
    stddev: () => standardDeviation(numbersOf(cells)),
    oldest: () => oldestOrNewest(given, true),
    newest: () => oldestOrNewest(given, false),
  };
  const compute = functions[func];
  if (!compute) throw new Error(`no aggregate function: ${func}`);
  return compute();
}
