import type { Line } from "../page/page-lines.ts";
import { type ColumnHeading, readKnownHeaderRow, resolveDuplicateHeadings } from "./column-heading.ts";
import { readHeaderCells } from "./read-header-cells.ts";

/** The column headings in a header row of one or two lines; null if the line is no header row. */
export function findHeaderRow(line: Line, next: Line | undefined): { headings: ColumnHeading[]; lines: 1 | 2 } | null {
  const known = readKnownHeaderRow(line, next);
  if (known) return known;
  const found = readHeaderCells(line, next);
  return found && { ...found, headings: resolveDuplicateHeadings(found.headings) };
}
