import { withAlignedCells } from "./aligned-cells.ts";
import { toColumns } from "./assign-columns.ts";
import { headingsOf } from "./find-headings.ts";
import { groupedHeadings } from "./grouped-headings.ts";
import type { Heading } from "./headings.ts";
import { type Line, textOf } from "./page-lines.ts";
import { type ReadLine, readAssigned, readLoose } from "./read-line.ts";
import { resolveColumns } from "./resolve-columns.ts";
import type { ReadingContext } from "./row-parts.ts";
import { unitInName } from "./unit-in-name.ts";

/** Lines of a page under one header row; `headings` is null without a header row. */
export interface Stretch {
  readonly headings: readonly Heading[] | null;
  readonly lines: readonly Line[];
}

/** Splits lines at header rows. The headings of the previous page hold until the first header row. */
export function stretchesOf(lines: readonly Line[], carried: readonly Heading[] | null): Stretch[] {
  const stretches: { headings: readonly Heading[] | null; lines: Line[] }[] = [{ headings: null, lines: [] }];
  let isFound = false;
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place];
    const found = line && (groupedHeadings(lines, place) ?? headingsOf(line, lines[place + 1]));
    if (found) {
      isFound = true;
      stretches.push({ headings: withUnits(found.headings, lines.slice(place, place + found.lines)), lines: [] });
      place += found.lines - 1;
    } else if (line) stretches.at(-1)?.lines.push(line);
  }
  if (!isFound) return [{ headings: carried, lines }];
  const [before, ...tables] = stretches;
  return carried && before ? [{ ...before, headings: carried }, ...tables] : tables;
}

/** Adds the bracketed unit of a value heading. */
const withUnits = (headings: readonly Heading[], lines: readonly Line[]): Heading[] =>
  headings.map((heading) => {
    if (heading.kind !== "value") return heading;
    const own = lines
      .flatMap(({ cells }) => cells)
      .filter(({ left, right }) => left < heading.right && right > heading.left);
    const units = own.flatMap(({ text }) => unitInName(text)?.units ?? [])[0];
    return units === undefined ? heading : { ...heading, units };
  });

/** Reads every line of a table section, by columns if the section has headings. */
export function readLines({ headings, lines }: Stretch, context: ReadingContext): ReadLine[] {
  if (!headings) return withAlignedCells(wholeSentences(lines)).map((line) => readLoose(line, context));
  const { assigned } = resolveColumns(toColumns(headings), lines, context);
  return lines.map((line, place) => readAssigned(line, assigned[place] ?? new Map(), context));
}

/** Joins a sentence with the next line if its bracket is still open. */
function wholeSentences(lines: readonly Line[]): Line[] {
  const whole: Line[] = [];
  for (const line of lines) {
    const last = whole.at(-1);
    const isOpen =
      last?.cells.length === 1 && /[:=]/.test(last.text) && countOf(last.text, "(") > countOf(last.text, ")");
    const isClose = last && line.top - last.top < 2.5 * (last.bottom - last.top);
    if (last && isOpen && isClose && line.cells.length === 1) {
      const words = [...last.words, ...line.words];
      whole[whole.length - 1] = {
        ...last,
        words,
        text: textOf(words),
        cells: [{ ...last, words, text: textOf(words) }],
      };
    } else whole.push(line);
  }
  return whole;
}

const countOf = (text: string, sign: string) => text.split(sign).length - 1;
