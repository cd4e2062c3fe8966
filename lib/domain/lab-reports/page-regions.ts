import { cardsIn } from "./cards.ts";
import { headingsOf } from "./find-headings.ts";
import { type Line, linesOf } from "./page-lines.ts";

/** Splits lines into regions that are read one after another: tables side by side, with or without header rows. */
export function regionsOf(lines: readonly Line[], isKnown: (name: string) => boolean): Line[][] {
  for (const [place, line] of lines.entries()) {
    const found = headingsOf(line, lines[place + 1]);
    const second = found?.headings.filter(({ kind }) => kind === "name")[1];
    const isBeside = found?.headings.some(({ kind, left }) => kind === "value" && left < (second?.left ?? 0));
    if (!second || !found || !isBeside) continue;
    const below = lines.flatMap(({ words }) => words).filter(({ top, height }) => top + height / 2 >= line.top - 1);
    const edge = second.left - 4;
    const left = below.filter((word) => word.left + word.width / 2 < edge);
    const right = below.filter((word) => word.left + word.width / 2 >= edge);
    return [lines.slice(0, place), linesOf(left), linesOf(right)];
  }
  return cardsIn(lines, isKnown) ?? [[...lines]];
}
