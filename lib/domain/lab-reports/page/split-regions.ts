import { findHeaderRow } from "../table/find-header-row.ts";
import { type Line, toLines } from "./page-lines.ts";
import { splitSideBySideTables } from "./split-side-by-side-tables.ts";

/** Splits lines into regions that are read one after another: tables side by side, with or without header rows. */
export function splitRegions(lines: readonly Line[], isKnown: (name: string) => boolean): Line[][] {
  for (const [place, line] of lines.entries()) {
    const found = findHeaderRow(line, lines[place + 1]);
    const second = found?.headings.filter(({ kind }) => kind === "name")[1];
    const isBeside = found?.headings.some(({ kind, left }) => kind === "value" && left < (second?.left ?? 0));
    if (!second || !found || !isBeside) continue;
    const below = lines.flatMap(({ words }) => words).filter(({ top, height }) => top + height / 2 >= line.top - 1);
    const edge = second.left - 4;
    const left = below.filter((word) => word.left + word.width / 2 < edge);
    const right = below.filter((word) => word.left + word.width / 2 >= edge);
    return [lines.slice(0, place), toLines(left), toLines(right)];
  }
  return splitSideBySideTables(lines, isKnown) ?? [[...lines]];
}
