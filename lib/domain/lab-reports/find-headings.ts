import { headingCells } from "./heading-cells.ts";
import { type Heading, knownHeadings, withOneOfEach } from "./headings.ts";
import type { Line } from "./page-lines.ts";

/** The column headings in a header row of one or two lines; null if the line is no header row. */
export function headingsOf(line: Line, next: Line | undefined): { headings: Heading[]; lines: 1 | 2 } | null {
  const known = knownHeadings(line, next);
  if (known) return known;
  const found = headingCells(line, next);
  return found && { ...found, headings: withOneOfEach(found.headings) };
}
