import type { CellValue, RowSource } from "./rows.ts";

/** Reads one column of a row. Instants are floating time, dates are YYYY-MM-DD. */
export type CellReader = (row: number) => CellValue;

/**
 * How a row covers its time, and so what remains where a better source covers part of it. An `amount` grows with time:
 * the uncovered share remains. A `sample` is kept or dropped by its start, a `session` by its longer part.
 */
export type Coverage = "amount" | "sample" | "session";

/** Rows of one table or timeseries as columns, unordered. */
export interface RowSet {
  readonly count: number;
  /** Instant of each row by the index of its table: epoch ms; for dates, midnight UTC. */
  readonly instants: Float64Array;
  /** The instants in floating time. */
  readonly floating: Float64Array;
  /** The covered interval of each row, epoch ms; both ends are equal for a point. */
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  /** Index into `sources`. */
  readonly sourceOf: Uint32Array;
  readonly sources: readonly RowSource[];
  readonly coverage: Coverage;
  /** Rows compete only within the same kind (sub-types of one resource) and group. */
  readonly kind: CellReader | undefined;
  cell(column: string): CellReader;
  /** A numeric column as one array with NaN for missing values; undefined when rows must be read one by one. */
  numbers?(column: string): Float64Array | undefined;
  /** A column of instants as epoch ms. */
  epoch(column: string): CellReader;
}

/** Assigns each distinct source an index in order of appearance. */
export class SourceIndex {
  readonly sources: RowSource[] = [];
  readonly #numbers = new Map<string, number>();
  #last: RowSource | undefined;
  #lastNumber = 0;

  indexOf(source: RowSource): number {
    if (source === this.#last) return this.#lastNumber;
    const { provider, type, app_id, device_id, workout_id, sport } = source;
    const key = JSON.stringify([provider, type, app_id, device_id, workout_id, sport]);
    const number = this.#numbers.get(key) ?? this.sources.push(source) - 1;
    this.#numbers.set(key, number);
    this.#last = source;
    this.#lastNumber = number;
    return number;
  }
}

const sourceColumns: Readonly<Record<string, (source: RowSource) => string | null | undefined>> = {
  source_provider: ({ provider }) => provider,
  source_type: ({ type }) => type,
  source_app_id: ({ app_id }) => app_id,
  source_device_id: ({ device_id }) => device_id,
  source_workout_id: ({ workout_id }) => workout_id,
  source_sport: ({ sport }) => sport,
};

/** Reader of a source column; undefined for any other column. */
export function sourceCellReader({ sourceOf, sources }: Pick<RowSet, "sourceOf" | "sources">, column: string) {
  const read = sourceColumns[column];
  if (!read) return undefined;
  const values = sources.map((source) => read(source) ?? null);
  return (row: number): CellValue => values[sourceOf[row] ?? 0] ?? null;
}
