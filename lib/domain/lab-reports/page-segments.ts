import type { Line } from "./page-lines.ts";
import { paragraphsIn } from "./paragraphs.ts";
import type { ReadingContext } from "./row-parts.ts";
import { tilesIn } from "./tiles.ts";
import { type Segment, sheetsIn } from "./transposed.ts";

/** The lines of a page parted at what is no table: sheets of tests beside each other, paragraphs, and tiles. */
export function segmentsOf(lines: readonly Line[], context: ReadingContext): Segment[] {
  return [sheetsIn, paragraphsIn, tilesIn].reduce<Segment[]>(
    (segments, part) => segments.flatMap((one) => ("rows" in one ? [one] : part(one.lines, context))),
    [{ lines }],
  );
}
