import type { RowSource, Value } from "./rows.ts";

/** Reads one column: what a row has in it. Instants are floating time, dates are YYYY-MM-DD. */
export type Cell = (row: number) => Value;

/**
 * What a row says of the time from its begin to its end, and so what of it is left where a better source covers part of
 * that: of an `amount` that grows with time the share of the rest; a `sample` is taken or left by its begin, a `session`
 * by its longer part.
 */
export type Coverage = "amount" | "sample" | "session";

/** Rows of one table or timeseries, column by column, in no particular order. */
export interface RowSet {
  readonly count: number;
  /** When rows are, by the index of their table: epoch ms; for dates, midnight in UTC. */
  readonly instants: Float64Array;
  /** The same in floating time. */
  readonly floating: Float64Array;
  /** The time that a row tells of, epoch ms; equal for a point. */
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  /** Index into `sources`. */
  readonly sourceOf: Uint32Array;
  readonly sources: readonly RowSource[];
  readonly coverage: Coverage;
  /** Of what rows compete only among themselves, beside their group (sub-types of one resource). */
  readonly kind: Cell | undefined;
  cell(column: string): Cell;
  /** A column of numbers in one piece, NaN where a row has none; undefined where rows have to be asked one by one. */
  numbers?(column: string): Float64Array | undefined;
  /** A column of instants as epoch ms. */
  epoch(column: string): Cell;
}

/** Numbers sources as they come. */
export class SourceList {
  readonly sources: RowSource[] = [];
  readonly #numbers = new Map<string, number>();
  #last: RowSource | undefined;
  #lastNumber = 0;

  numberOf(source: RowSource): number {
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

/** A column that tells of the source, or undefined when it does not. */
export function sourceCell({ sourceOf, sources }: Pick<RowSet, "sourceOf" | "sources">, column: string) {
  const read = sourceColumns[column];
  if (!read) return undefined;
  const values = sources.map((source) => read(source) ?? null);
  return (row: number): Value => values[sourceOf[row] ?? 0] ?? null;
}
