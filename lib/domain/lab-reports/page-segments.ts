import type { Line } from "./page-lines.ts";
import { paragraphsIn } from "./paragraphs.ts";
import type { ReadingContext } from "./row-parts.ts";
import { tilesIn } from "./tiles.ts";
import { type Segment, sheetsIn } from "./transposed.ts";

/**
 * Segments the lines of a page into blocks: transposed tables, paragraphs of results, stacked key-value blocks, and
 * other lines.
 */
export function segmentsOf(lines: readonly Line[], context: ReadingContext): Segment[] {
  return [sheetsIn, paragraphsIn, tilesIn].reduce<Segment[]>(
    (segments, part) => segments.flatMap((one) => ("rows" in one ? [one] : part(one.lines, context))),
    [{ lines }],
  );
}
