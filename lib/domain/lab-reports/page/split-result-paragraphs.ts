import { cleanName } from "../names/clean-name.ts";
import { readResultText, readSentence } from "../row/read-sentence.ts";
import { isUnambiguousResult } from "../row/read-value.ts";
import { type PrintedRow, type ReadingContext, readRowParts } from "../row/row-parts.ts";
import type { RowTexts } from "../row/row-texts.ts";
import { mayBeResultText } from "../row/unread-texts.ts";
import { startsWithHeaderLabel } from "./header-labels.ts";
import { type Line, textOf } from "./page-lines.ts";
import type { ReportWord } from "./report-page.ts";
import { type PageBlock, panelTitleAbove } from "./split-transposed-tables.ts";

/** Maximum line pitch within a paragraph, in line heights, and maximum number of leading heading lines. */
const MAX_LINE_PITCH = 2.5;
const MAX_HEADING_LINES = 2;
const MIN_RESULTS = 2;
const MAX_NAME_LENGTH = 60;

/** Splits off paragraphs of consecutive results: `Sodium 138 mEq/L (134 to 144); Potassium 4.1`. */
export function splitResultParagraphs(lines: readonly Line[], context: ReadingContext): PageBlock[] {
  const segments: PageBlock[] = [];
  let from = 0;
  for (let place = 0; place < lines.length; ) {
    const block = blockAt(lines, place);
    const found = bestReading(block, context);
    if (found) {
      const begin = place + found.headings;
      const panel = panelTitleAbove(lines.slice(0, begin));
      segments.push({ lines: lines.slice(from, begin) }, { rows: found.rows.map((row) => ({ ...row, panel })) });
      from = place + block.length;
    }
    place += Math.max(1, block.length);
  }
  return [...segments, { lines: lines.slice(from) }];
}

/** Consecutive close lines with a single cell each, from a line on. */
function blockAt(lines: readonly Line[], place: number): Line[] {
  const block: Line[] = [];
  for (const line of lines.slice(place)) {
    const last = block.at(-1);
    const isClose = !last || line.top - last.top < MAX_LINE_PITCH * (last.bottom - last.top);
    if (line.cells.length !== 1 || !isClose) break;
    block.push(line);
  }
  return block;
}

interface ParagraphReading {
  readonly rows: readonly PrintedRow[];
  readonly headings: number;
  readonly known: number;
}

/** Reads a block without its heading lines. The reading with the most known names wins. */
function bestReading(block: readonly Line[], context: ReadingContext): ParagraphReading | null {
  if (!block.some(({ text }) => text.includes(";"))) return null;
  const readings = Array.from({ length: Math.min(MAX_HEADING_LINES + 1, block.length) }, (_, headings) => {
    const rows = paragraphRows(block.slice(headings), context);
    return { rows, headings, known: rows.filter(({ name }) => context.isKnown(name)).length };
  });
  const best = readings.reduce((most, next) => (next.known > most.known ? next : most));
  return best.rows.length >= MIN_RESULTS && best.known * 2 >= best.rows.length ? best : null;
}

/**
 * The results of a paragraph; none if fewer than half of its clauses are results. Other clauses become unread texts.
 */
function paragraphRows(lines: readonly Line[], context: ReadingContext): PrintedRow[] {
  const clauses = splitClauses(lines.flatMap(({ words }) => words));
  const read = clauses.map((words) => ({ words, row: clauseRow(words, context) }));
  const rows: PrintedRow[] = [];
  let before: string[] = [];
  for (const { words, row } of read) {
    const text = textOf(words);
    const last = rows.pop();
    if (row) rows.push(...(last ? [last] : []), { ...row, unreadTexts: [...row.unreadTexts, ...before] });
    else if (last) rows.push({ ...last, unreadTexts: [...last.unreadTexts, text].filter(hasResultContent) });
    before = row || last ? [] : [...before, text].filter(hasResultContent);
  }
  return rows.length * 2 >= clauses.length ? rows : [];
}

const hasResultContent = (text: string) => /\d/.test(text) || mayBeResultText(text);

/** Splits words at semicolons outside brackets. */
function splitClauses(words: readonly ReportWord[]): ReportWord[][] {
  const clauses: ReportWord[][] = [[]];
  let depth = 0;
  for (const word of words) {
    clauses.at(-1)?.push(word);
    depth += countOf(word.text, /[([]/g) - countOf(word.text, /[)\]]/g);
    if (word.text.endsWith(";") && depth <= 0) [depth] = [0, clauses.push([])];
  }
  return clauses.filter(({ length }) => length > 0);
}

const countOf = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0;

function clauseRow(words: readonly ReportWord[], context: ReadingContext): PrintedRow | null {
  const printed = textOf(words);
  const text = printed.replace(/[;.]$/, "");
  const texts = splitAfterName(text, context) ?? readSentence(text, context.isKnown);
  const parts = texts && readRowParts(texts, context);
  const name = cleanName(texts?.name ?? "");
  if (!parts || name.length > MAX_NAME_LENGTH || startsWithHeaderLabel(name)) return null;
  // A clause without a final sign may continue on the next page.
  const leftOver = text === printed ? [text] : [];
  return { ...parts, name, panel: null, words, unreadTexts: leftOver };
}

/** Splits a clause into name and result at a space, preferably after a known name. */
function splitAfterName(text: string, { isKnown }: ReadingContext): RowTexts | null {
  const words = text.split(" ");
  const found = words.flatMap((word, place) => {
    const name = words.slice(0, place).join(" ");
    const isBegin = /^[<>≤≥]?=?\d/.test(word) || (isUnambiguousResult(word) && isKnown(name));
    const texts = isBegin && /\p{L}/u.test(name) ? readResultText(words.slice(place).join(" ")) : null;
    return texts && (isKnown(name) || texts.units !== "" || texts.range !== "") ? [{ ...texts, name }] : [];
  });
  return found.find(({ name }) => isKnown(name)) ?? found[0] ?? null;
}
