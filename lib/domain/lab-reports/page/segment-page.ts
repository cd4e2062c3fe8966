import type { ReadingContext } from "../row/row-parts.ts";
import type { Line } from "./page-lines.ts";
import { splitKeyValueBlocks } from "./split-key-value-blocks.ts";
import { splitResultParagraphs } from "./split-result-paragraphs.ts";
import { type PageBlock, splitTransposedTables } from "./split-transposed-tables.ts";

/**
 * Segments the lines of a page into blocks: transposed tables, paragraphs of results, stacked key-value blocks, and
 * other lines.
 */
export function segmentPage(lines: readonly Line[], context: ReadingContext): PageBlock[] {
  return [splitTransposedTables, splitResultParagraphs, splitKeyValueBlocks].reduce<PageBlock[]>(
    (segments, part) => segments.flatMap((one) => ("rows" in one ? [one] : part(one.lines, context))),
    [{ lines }],
  );
}
