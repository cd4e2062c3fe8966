import type { Assigned, Column } from "./assign-columns.ts";
import type { Line } from "./page-lines.ts";
import type { ReadingContext } from "./row-parts.ts";

/** Columns and the words of each line assigned to them. */
export interface Resolved {
  readonly columns: readonly Column[];
  readonly assigned: readonly Assigned[];
}

/** Minimum share of a column's texts that must be of a kind to determine the kind of the column. */
export const MOST = 0.6;
export const NEARLY_ALL = 0.85;

export const HALF = 0.5;
export const SOME = 0.2;

export const FEWEST = 2;

export type Step = (before: Resolved, lines: readonly Line[], context: ReadingContext) => readonly Column[];
