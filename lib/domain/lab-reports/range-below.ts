import type { Line } from "./page-lines.ts";
import type { ReadLine } from "./read-line.ts";
import { type PrintedRange, readRange } from "./read-range.ts";
import { isLabelled } from "./report-labels.ts";
import { isUnit } from "./report-units.ts";
import type { RowParts } from "./row-parts.ts";

/** What lines below a row add to it, and which of them are used up by that. */
export interface Below {
  readonly parts: RowParts;
  readonly used: readonly ReadLine[];
  /** Whether the row has no range, though something below it looks like one. */
  readonly isRangeUnread: boolean;
}

/** How many lines below a row may be about it. */
const MOST_LINES = 3;
/** How far below a row, in heights of its line, a range of its own line may stand. */
const FARTHEST = 4;

/**
 * Reads the unit and the range that stand on lines of their own below a row of a number.
 * @param below the lines up to the next row, without it. @param next the line of the next row.
 */
export function readBelow(row: ReadLine, own: RowParts, below: readonly ReadLine[], next: Line | undefined): Below {
  const isNumber = own.value.kind === "number" || own.value.kind === "span";
  let parts = own;
  const used: ReadLine[] = [];
  if (!isNumber || hasBounds(own.range)) return { parts, used, isRangeUnread: false };
  const near = below.slice(0, MOST_LINES);
  for (const read of near.filter(({ line }) => belongsTo(row.line, line, next))) {
    const found = readAlone(read.line);
    if (!found || hasBounds(parts.range)) continue;
    const units = parts.units ?? found.units ?? found.range?.units ?? null;
    parts = { ...parts, units, range: found.range ?? parts.range };
    used.push(read);
  }
  const others = [besideValue(row, own), ...near.map(({ line }) => line.text)];
  return { parts, used, isRangeUnread: !hasBounds(parts.range) && others.some(looksLikeRange) };
}

const hasBounds = ({ min, max }: PrintedRange) => min !== null || max !== null;

/** What stands in the line of a row beside its name and its value. */
function besideValue({ name, line }: ReadLine, { value }: RowParts): string {
  const [comparator, number] = [value.comparator ?? "", value.value.slice(value.comparator?.length ?? 0)];
  const rest = line.text.replace(name, " ");
  const at = rest.indexOf(number);
  if (at < 0) return rest;
  const before = rest.slice(0, at).trimEnd();
  return `${comparator && /[<>=≤≥]$/.test(before) ? before.replace(/[<>=≤≥\s]+$/, "") : before} | ${rest.slice(at + number.length)}`;
}

/** Whether a line stands close below a row, and not closer to the next one. */
function belongsTo(row: Line, line: Line, next: Line | undefined): boolean {
  const away = line.top - row.top;
  return away < FARTHEST * (row.bottom - row.top) && (next === undefined || next.top - line.top > away * 0.9);
}

/** Whether a line says a range, and perhaps its unit, and nothing else. */
export const isRangeLine = (line: Line): boolean => readAlone(line)?.range != null;

/** A unit, a range, or both, where the whole line says nothing else. */
function readAlone({ text, words }: Line): { units: string | null; range: PrintedRange | null } | null {
  if (isLabelled(text)) return null;
  const range = soundRange(text);
  if (range) return { units: null, range };
  if (isUnit(text) && /\p{L}|%/u.test(text)) return { units: text, range: null };
  const first = words[0]?.text.replace(/[,;:]$/, "") ?? "";
  const behind = isUnit(first) ? soundRange(text.slice(first.length).replace(/^[\s,;:|·•-]+/, "")) : null;
  return behind && { units: first, range: behind };
}

/** A range behind which nothing but its unit stands. */
function soundRange(text: string): PrintedRange | null {
  const range = readRange(text);
  if (!hasBounds(range) || (range.min !== null && range.max !== null && range.min > range.max)) return null;
  return range.units === null || isUnit(range.units.replace(/[)\]]$/, "")) ? range : null;
}

/** Two numbers with a sign between them, a bound, or a word that says that a range follows. */
function looksLikeRange(printed: string): boolean {
  const text = printed.replaceAll(DATE, "");
  return (
    /\d\s*(?:-|–|—|−|~|to|and|thru|through)\s*\d/i.test(text) ||
    /(?:[<>≤≥]\s*=?|\b(?:below|under|above|over|than|least|most|up to))\s*\d/i.test(text) ||
    (/\b(?:ref(?:erence)?|range|interval|limits?)\b/i.test(text) && /\d/.test(text))
  );
}

const DATE = /\b\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\b/g;
