import { startsWithHeaderLabel } from "../page/header-labels.ts";
import type { Cell, Line } from "../page/page-lines.ts";
import type { LineReading } from "../table/line-reading.ts";
import { isGradeText, normalGradeRange } from "./graded-ranges.ts";
import { selectRange, startsWithPopulation } from "./population-ranges.ts";
import { isRange, noRange, type PrintedRange, readRange } from "./read-range.ts";
import { isQualitativeResult } from "./read-value.ts";
import { isUnit } from "./report-units.ts";
import type { ReadingContext, RowParts } from "./row-parts.ts";
import { mayBeResultText } from "./unread-texts.ts";

/** A row completed by the lines below it, and the lines used for that. */
export interface LinesBelow {
  readonly parts: RowParts;
  readonly usedLines: readonly LineReading[];
  /** Unread texts of the used lines that may be result content. */
  readonly unreadTexts: readonly string[];
}

/** Maximum number of lines below a row that may belong to it. */
const MAX_LINES = 6;
/** Maximum distance of a unit or a range below its row, in line heights. */
const MAX_DISTANCE = 4;

/**
 * Reads the unit and the range below a numeric row: on lines of their own, or under the value.
 * @param below the lines up to the next row, without it.
 * @param next the line of the next row.
 */
export function readLinesBelow(
  row: LineReading,
  own: RowParts,
  below: readonly LineReading[],
  next: Line | undefined,
  { patient }: ReadingContext,
): LinesBelow {
  const isNumber = own.value.kind === "number" || own.value.kind === "span";
  const used: LineReading[] = [];
  const leftOver: string[] = [];
  if (!isNumber) return readExpectedBelow(row, own, below[0]);
  const graded = readGradesBelow(row, own, below);
  if (graded) return graded;
  let { units } = own;
  const ranges = hasBounds(own.range) && !startsWithPopulation(own.rangeText) ? [] : [own.rangeText];
  const isOpen = ranges.length > 0;
  const near = below.slice(0, MAX_LINES);
  for (const [place, read] of near.entries()) {
    const isNext = place > 0 && used.at(-1) === near[place - 1] && startsWithPopulation(read.line.text);
    if (!isNext && !belongsTo(row.line, read.line, next)) continue;
    const found = readWholeLine(read.line) ?? readUnderValue(read.line, row);
    const isList = ranges.some(startsWithPopulation) && startsWithPopulation(found?.range ?? "");
    const isRangeNew = isOpen && found?.range && (isList || !ranges.some(isRangeText));
    if (isRangeNew) ranges.push(found.range ?? "");
    const isUnitNew = units === null && found?.units;
    if (isUnitNew) units = found.units;
    if (!isRangeNew && !isUnitNew) continue;
    used.push(read);
    leftOver.push(...(found?.leftOver ?? []));
  }
  const text = ranges.filter(isRangeText).join(" ");
  const parts = text === "" ? { ...own, units } : withRange({ ...own, units }, text, selectRange(text, patient));
  const others = [textBesideValue(row, own), ...near.map(({ line }) => line.text)];
  const isUnread = parts.hasUnreadRange || (!hasBounds(parts.range) && others.some(looksLikeRange));
  return { parts: { ...parts, hasUnreadRange: isUnread }, usedLines: used, unreadTexts: leftOver };
}

/**
 * Reads the normal grade of a graded range that starts beside the value and continues below; null if none is normal.
 */
function readGradesBelow({ line }: LineReading, own: RowParts, below: readonly LineReading[]): LinesBelow | null {
  const first = line.cells.find(({ text }) => text === own.rangeText);
  if (!first || !isGradeText(first.text)) return null;
  const gradeIn = (one: LineReading) =>
    one.line.cells.find(({ text, left }) => Math.abs(left - first.left) < SLACK && isGradeText(text));
  const end = below.findIndex((one) => !gradeIn(one));
  const used = end < 0 ? below : below.slice(0, end);
  const cells = used.flatMap((one) => gradeIn(one) ?? []);
  const range = normalGradeRange([first.text, ...cells.map(({ text }) => text)]);
  if (range === null) return null;
  const others = used.flatMap((one) => one.line.cells.filter((cell) => !cells.includes(cell)));
  return {
    parts: withRange(own, range, range),
    usedLines: used,
    unreadTexts: others.map(({ text }) => text).filter(mayBeResultText),
  };
}

/** Reads the expected qualitative result or titer below a row, as in `Reference range: Negative`. */
function readExpectedBelow(row: LineReading, own: RowParts, below: LineReading | undefined): LinesBelow {
  const none = { parts: own, usedLines: [], unreadTexts: [] };
  if (!below || own.rangeText !== "" || !belongsTo(row.line, below.line, undefined)) return none;
  const expected = below.line.text.replace(RANGE_LABEL, "");
  const range = readRange(expected);
  if (expected === below.line.text || !(range.isTiter || isQualitativeResult(expected))) return none;
  return { ...none, parts: { ...own, range, rangeText: expected }, usedLines: [below] };
}

function withRange(parts: RowParts, rangeText: string, own: string | null): RowParts {
  const range = own === null ? noRange : readRange(own);
  return { ...parts, range, rangeText, units: parts.units ?? range.units, hasUnreadRange: own === null };
}

const isRangeText = (text: string) => isRange(text) || (startsWithPopulation(text) && /\d/.test(text));

const hasBounds = ({ min, max }: PrintedRange) => min !== null || max !== null;

/** The text of a row's line without its name and its value. */
function textBesideValue({ name, line }: LineReading, { value }: RowParts): string {
  const [comparator, number] = [value.comparator ?? "", value.value.slice(value.comparator?.length ?? 0)];
  const rest = line.text.replace(name, " ");
  const at = rest.indexOf(number);
  if (at < 0) return rest;
  const before = rest.slice(0, at).trimEnd();
  return `${comparator && /[<>=≤≥]$/.test(before) ? before.replace(/[<>=≤≥\s]+$/, "") : before} | ${rest.slice(at + number.length)}`;
}

/** Reports whether a line is close below a row, and not closer to the next row. */
function belongsTo(row: Line, line: Line, next: Line | undefined): boolean {
  const away = line.top - row.top;
  return away < MAX_DISTANCE * (row.bottom - row.top) && (next === undefined || next.top - line.top > away * 0.9);
}

/** Reports whether a line consists of a range, optionally with its unit. */
export const isRangeLine = (line: Line): boolean => readWholeLine(line)?.range != null;

interface RangeBelow {
  readonly units: string | null;
  readonly range: string | null;
  readonly leftOver?: readonly string[];
}

/** Reads a line that consists of a unit, a range, or both. */
function readWholeLine({ text, words }: Line): RangeBelow | null {
  if (startsWithHeaderLabel(text)) return null;
  const range = parseCleanRange(text);
  if (range) return { units: null, range };
  if (isUnitText(text)) return { units: text, range: null };
  const first = words[0]?.text.replace(/[,;:]$/, "") ?? "";
  const behind = isUnit(first) ? parseCleanRange(text.slice(first.length).replace(/^[\s,;:|·•-]+/, "")) : null;
  return behind ? { units: first, range: behind } : null;
}

/** Reads a unit under the value and a range beside it from a line with other content. */
function readUnderValue({ cells }: Line, { valueSpan, name }: LineReading): RangeBelow | null {
  if (!valueSpan || name === "") return null;
  const isUnder = ({ left, right }: Cell) => left < valueSpan.right + SLACK && right > valueSpan.left - SLACK;
  const units = cells.find((cell) => isUnder(cell) && isUnitText(cell.text))?.text ?? null;
  const beside = cells.filter(({ left }) => left > valueSpan.right);
  const alone = beside.find(({ text }) => parseCleanRange(text) !== null);
  const range = alone ? parseCleanRange(alone.text) : boundsIn(beside);
  const others = cells.filter(({ text }) => text !== units && text !== alone?.text);
  const leftOver = (alone ? others : others.filter((cell) => !beside.includes(cell))).map(({ text }) => text);
  return units || range ? { units, range, leftOver: leftOver.filter(mayBeResultText) } : null;
}
const SLACK = 3;

/** Reads two numbers at the ends of a range bar. */
function boundsIn(cells: readonly Cell[]): string | null {
  const [low, high, ...others] = cells.map(({ text }) => text);
  const isBound = (text = "") => /^\d[\d,]*(?:\.\d+)?$/.test(text);
  const isPair = others.length === 0 && isBound(low) && isBound(high) && Number(low) < Number(high);
  return isPair ? `${low} - ${high}` : null;
}

const isUnitText = (text: string) => isUnit(text) && /^[^(].*\p{L}|^\p{L}|%/u.test(text);

/** A text that consists of a range with its unit, or of a range of a population; null for other texts. */
function parseCleanRange(printed: string): string | null {
  const text = printed.replace(RANGE_LABEL, "");
  if (startsWithPopulation(text)) return /\d/.test(text) ? text : null;
  const range = readRange(text);
  if (!hasBounds(range) || (range.min !== null && range.max !== null && range.min > range.max)) return null;
  return range.units === null || isUnit(range.units.replace(/[)\]]$/, "")) ? text : null;
}

const RANGE_LABEL =
  /^\W*(?:(?:reference|ref\.?|normal|expected|usual|biological)\s*)?(?:ranges?|intervals?|values?|limits?|reference|normal|expected)\s*[:=]\s*/i;

/** Reports whether a text contains a span, a bound, or a label followed by a number. */
function looksLikeRange(printed: string): boolean {
  const text = printed.replaceAll(DATE, "");
  return (
    /\d\s*(?:-|–|—|−|~|to|and|thru|through)\s*\d/i.test(text) ||
    /(?:[<>≤≥]\s*=?|\b(?:below|under|above|over|than|least|most|up to))\s*\d/i.test(text) ||
    (/\b(?:ref(?:erence)?|range|interval|limits?)\b/i.test(text) && /\d/.test(text))
  );
}

const DATE = /\b\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\b/g;
