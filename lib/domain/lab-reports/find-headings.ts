import { headingCells } from "./heading-cells.ts";
import { type Heading, knownHeadings, withOneOfEach } from "./headings.ts";
import type { Line } from "./page-lines.ts";

/** The headings of a line, or of two that say them together; null where it is no line of headings. */
export function headingsOf(line: Line, next: Line | undefined): { headings: Heading[]; lines: 1 | 2 } | null {
  const known = knownHeadings(line, next);
  if (known) return known;
  const found = headingCells(line, next);
  return found && { ...found, headings: withOneOfEach(found.headings) };
}
