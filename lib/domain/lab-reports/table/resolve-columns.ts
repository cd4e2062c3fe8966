import type { Line } from "../page/page-lines.ts";
import type { ReadingContext } from "../row/row-parts.ts";
import { assignColumns, type Column, fitColumnWidths } from "./assign-columns.ts";
import type { ColumnStep, ResolvedColumns } from "./column-step.ts";
import { detectBoundColumns } from "./detect-bound-columns.ts";
import { discardWrongGuesses, inferColumnKinds } from "./infer-column-kinds.ts";
import {
  demoteEarlierDateColumns,
  dropSecondRangeColumn,
  reopenPreviousColumns,
  selectValueColumn,
} from "./select-columns.ts";

/** Resolves the kinds of columns by content, if headings do not determine them or name a kind twice. */
export function resolveColumns(
  given: readonly Column[],
  lines: readonly Line[],
  context: ReadingContext,
): ResolvedColumns {
  const assign = (columns: readonly Column[]) => lines.map((line) => assignColumns(line, columns));
  const resolved = steps.reduce<ResolvedColumns>(
    (before, step) => {
      const columns = step(before, lines, context);
      return columns === before.columns ? before : { columns, assigned: assign(columns) };
    },
    { columns: given, assigned: assign(given) },
  );
  const columns = fitColumnWidths(resolved.columns, resolved.assigned);
  return { columns, assigned: assign(columns) };
}

const steps: readonly ColumnStep[] = [
  discardWrongGuesses,
  dropSecondRangeColumn,
  demoteEarlierDateColumns,
  detectBoundColumns,
  inferColumnKinds,
  selectValueColumn,
  reopenPreviousColumns,
];
