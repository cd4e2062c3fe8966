import { splitUnitFromName } from "../names/split-unit-from-name.ts";
import { type Line, textOf } from "../page/page-lines.ts";
import type { ReadingContext } from "../row/row-parts.ts";
import { columnsFromHeadings } from "./assign-columns.ts";
import type { ColumnHeading } from "./column-heading.ts";
import { findHeaderRow } from "./find-header-row.ts";
import { findMultiLevelHeader } from "./find-multi-level-header.ts";
import { type LineReading, readLineByColumns } from "./line-reading.ts";
import { readLineWithoutColumns } from "./read-line-without-columns.ts";
import { resolveColumns } from "./resolve-columns.ts";
import { splitAlignedCells } from "./split-aligned-cells.ts";

/** Lines of a page under one header row; `headings` is null without a header row. */
export interface TableSection {
  readonly headings: readonly ColumnHeading[] | null;
  readonly lines: readonly Line[];
}

/** Splits lines at header rows. The headings of the previous page hold until the first header row. */
export function splitTableSections(lines: readonly Line[], carried: readonly ColumnHeading[] | null): TableSection[] {
  const stretches: { headings: readonly ColumnHeading[] | null; lines: Line[] }[] = [{ headings: null, lines: [] }];
  let isFound = false;
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place];
    const found = line && (findMultiLevelHeader(lines, place) ?? findHeaderRow(line, lines[place + 1]));
    if (found) {
      isFound = true;
      stretches.push({ headings: addHeadingUnits(found.headings, lines.slice(place, place + found.lines)), lines: [] });
      place += found.lines - 1;
    } else if (line) stretches.at(-1)?.lines.push(line);
  }
  if (!isFound) return [{ headings: carried, lines }];
  const [before, ...tables] = stretches;
  return carried && before ? [{ ...before, headings: carried }, ...tables] : tables;
}

/** Adds the bracketed unit of a value heading. */
const addHeadingUnits = (headings: readonly ColumnHeading[], lines: readonly Line[]): ColumnHeading[] =>
  headings.map((heading) => {
    if (heading.kind !== "value") return heading;
    const own = lines
      .flatMap(({ cells }) => cells)
      .filter(({ left, right }) => left < heading.right && right > heading.left);
    const units = own.flatMap(({ text }) => splitUnitFromName(text)?.units ?? [])[0];
    return units === undefined ? heading : { ...heading, units };
  });

/** Reads every line of a table section, by columns if the section has headings. */
export function readTableLines({ headings, lines }: TableSection, context: ReadingContext): LineReading[] {
  if (!headings)
    return splitAlignedCells(joinWrappedSentences(lines)).map((line) => readLineWithoutColumns(line, context));
  const { assigned } = resolveColumns(columnsFromHeadings(headings), lines, context);
  return lines.map((line, place) => readLineByColumns(line, assigned[place] ?? new Map(), context));
}

/** Joins a sentence with the next line if its bracket is still open. */
function joinWrappedSentences(lines: readonly Line[]): Line[] {
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
