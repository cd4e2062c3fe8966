import { assignColumns, type Column, learnColumns } from "./assign-columns.ts";
import { withBounds } from "./bound-columns.ts";
import { withDoubtfulDays, withOneValue, withoutEarlierDays, withoutSecondRange } from "./chosen-columns.ts";
import type { Resolved, Step } from "./column-step.ts";
import type { Line } from "./page-lines.ts";
import type { ReadingContext } from "./row-parts.ts";
import { byContent, withoutWrongGuesses } from "./told-by-content.ts";

/** Resolves the kinds of columns by content, if headings do not determine them or name a kind twice. */
export function resolveColumns(given: readonly Column[], lines: readonly Line[], context: ReadingContext): Resolved {
  const assign = (columns: readonly Column[]) => lines.map((line) => assignColumns(line, columns));
  const told = steps.reduce<Resolved>(
    (before, step) => {
      const columns = step(before, lines, context);
      return columns === before.columns ? before : { columns, assigned: assign(columns) };
    },
    { columns: given, assigned: assign(given) },
  );
  const columns = learnColumns(told.columns, told.assigned);
  return { columns, assigned: assign(columns) };
}

const steps: readonly Step[] = [
  withoutWrongGuesses,
  withoutSecondRange,
  withoutEarlierDays,
  withBounds,
  byContent,
  withOneValue,
  withDoubtfulDays,
];
