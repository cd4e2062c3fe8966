import type { Line } from "../page/page-lines.ts";
import type { ReadingContext } from "../row/row-parts.ts";
import type { Column, ColumnAssignment } from "./assign-columns.ts";

/** Columns and the words of each line assigned to them. */
export interface ResolvedColumns {
  readonly columns: readonly Column[];
  readonly assigned: readonly ColumnAssignment[];
}

/** Minimum share of a column's texts that must be of a kind to determine the kind of the column. */
export const MAJORITY_SHARE = 0.6;
export const NEARLY_ALL_SHARE = 0.85;

export const HALF_SHARE = 0.5;
export const MINORITY_SHARE = 0.2;

export const MIN_TEXTS = 2;

export type ColumnStep = (
  before: ResolvedColumns,
  lines: readonly Line[],
  context: ReadingContext,
) => readonly Column[];
