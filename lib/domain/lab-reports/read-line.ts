import type { Assigned } from "./assign-columns.ts";
import { isFlagSign } from "./flag-signs.ts";
import type { ColumnKind } from "./heading-words.ts";
import { kindAt } from "./headings.ts";
import { mayBeOfResult } from "./left-over.ts";
import { type Cell, cellsOf, characterWidth, isApart, type Line, rightOf, textOf } from "./page-lines.ts";
import { textsOf } from "./put-texts.ts";
import { flagMeaning } from "./read-flag.ts";
import { boundsText } from "./read-range.ts";
import { readResult, readSentence } from "./read-sentence.ts";
import { isValue, isWholeResult, readValue } from "./read-value.ts";
import type { ReportWord } from "./report-page.ts";
import { isUnit } from "./report-units.ts";
import { cleanName, withoutSite } from "./row-names.ts";
import { type ReadingContext, type RowParts, readParts } from "./row-parts.ts";

/** A line read as part of a table: its name and the parts of its result. */
export interface ReadLine {
  readonly line: Line;
  readonly name: string;
  readonly parts: RowParts | null;
  readonly words: readonly ReportWord[];
  /** Whether a gap separates the value from the name, unlike words of a sentence. */
  readonly isParted: boolean;
  /** Whether the line is a sentence without a cell gap between name and value. */
  readonly isProse?: boolean;
  /** Horizontal extent of the value; null without a value or a value column. */
  readonly valueAt: { readonly left: number; readonly right: number } | null;
  /** Unread texts of the line that may be result content. */
  readonly leftOver: readonly string[];
}

/** Reads a line by its column assignment. */
export function readAssigned(line: Line, assigned: Assigned, context: ReadingContext): ReadLine {
  const words = (kind: ColumnKind) =>
    [...assigned].filter(([column]) => column.kind === kind).flatMap(([, own]) => own);
  const text = (kind: ColumnKind) => textOf(words(kind));
  const used = (["name", "value", "flag", "units", "range", "low", "high"] as const).flatMap(words);
  const bounds = boundsText(text("low"), text("high"));
  const flagAhead = flagBefore(words("name"));
  const judged = text("value") === "" ? 0 : judgementBehind(words("name"));
  const names = words("name").slice(flagAhead === "" ? 0 : 1, words("name").length - judged);
  const judgement = textOf(words("name").slice(words("name").length - judged));
  const texts = {
    name: textOf(names),
    value: text("value"),
    flag: flagOf(assigned) || flagAhead || judgement,
    units: text("units"),
    range: text("range") || bounds,
  };
  const read = readParts(texts, context);
  const parts = read && { ...read, units: read.units ?? sharedUnit(read, texts.name, assigned) };
  const isNameAlone = used.length === words("name").length;
  const isSentence = line.cells.length === 1 && line.words.length > 5 && !isNameAlone;
  const name = parts || isNameAlone ? cleanName(withoutSite(names)) : "";
  const flags = [...assigned].filter(([{ kind }]) => kind === "flag").map(([, own]) => textOf(own));
  const unknown = [...assigned].filter(([{ isUnknown }]) => isUnknown).map(([, own]) => textOf(own));
  const leftOver = [...flags.filter(isUnknownSign), ...[...flags, ...unknown].filter(mayBeOfResult)].filter(
    (other) => other !== texts.flag,
  );
  const isParted = areParted(names, words("value"), parts, isSentence);
  const [first, last] = [words("value")[0], words("value").at(-1)];
  const valueAt = first && last ? { left: first.left, right: rightOf(last) } : null;
  return { line, name, parts, words: used, isParted, valueAt, leftOver };
}

/** Signs whose meaning as a flag is unknown. */
const isUnknownSign = (text: string) => /^[^\p{L}\d\s.–—-]+$/u.test(text) && flagMeaning(text) === undefined;

/** The unit in the heading of the value column, for numbers without a unit. Ratios have none. */
function sharedUnit({ value }: RowParts, name: string, assigned: Assigned): string | null {
  const isPlain = value.kind !== "number" || /\b(?:ratio|index|inr|ph)\b/i.test(name);
  return isPlain ? null : ([...assigned.keys()].find(({ kind, units }) => kind === "value" && units)?.units ?? null);
}

/** A separate flag before a name; empty if there is none. */
function flagBefore(words: readonly ReportWord[]): string {
  const [first, second] = words;
  const isName =
    second !== undefined && /\p{L}{2}/u.test(second.text) && (!isUnit(second.text) || /^ph$/i.test(second.text));
  return first && isName && isApart(first, second) && flagMeaning(first.text) ? first.text : "";
}

/** Number of separate words behind a name that are a flag. One or two letters may be a site code. */
function judgementBehind(words: readonly ReportWord[]): number {
  const last = cellsOf(words).slice(1).at(-1);
  return last && flagMeaning(last.text) && !/^[A-Z]{1,2}$/i.test(last.text) ? last.words.length : 0;
}

/** Words need a cell gap before them; numbers need slightly more than a space. */
function areParted(
  names: readonly ReportWord[],
  values: readonly ReportWord[],
  parts: RowParts | null,
  isSentence: boolean,
): boolean {
  const [last, first] = [names.at(-1), values[0]];
  if (isSentence) return false;
  if (!last || !first || isApart(last, first) || isWholeResult(textOf(values))) return true;
  return parts?.value.kind === "number" && first.left - rightOf(last) > 0.9 * characterWidth(last);
}

/** The flag in the first flag column that has one. A status column may only state that a result is final. */
function flagOf(assigned: Assigned): string {
  const texts = [...assigned].filter(([{ kind }]) => kind === "flag").map(([, words]) => textOf(words));
  return texts.find((text) => flagMeaning(text) !== undefined || isFlagSign(text)) ?? "";
}

/** Reads a line without columns: a name, then a value that starts a cell, then the other parts. */
export function readLoose(line: Line, context: ReadingContext): ReadLine {
  const first = line.cells[0];
  const isValueFirst = first !== undefined && isValueBeforeRange(first.text, line.cells[1]?.text ?? "");
  const around = first && isValue(first.text) ? readAround(line, context) : null;
  if (around) return { line, ...around, isParted: true };
  const { texts, leftOver } = textsOf(line.cells);
  const only = isValueFirst ? readParts(texts, context) : null;
  if (only)
    return { line, name: "", parts: only, words: line.words, isParted: true, valueAt: line.cells[0] ?? null, leftOver };
  const flag = flagBefore(line.cells.flatMap(({ words }) => words));
  for (let place = flag === "" ? 1 : 2; place < line.cells.length; place++) {
    const names = line.cells.slice(flag === "" ? 0 : 1, place);
    const read = readFrom(names, line.cells.slice(place), flag, context);
    if (read) return { line, ...read, isParted: true };
  }
  const sentence = readProse(line, context);
  if (sentence) return { line, ...sentence, isParted: true, isProse: true };
  return {
    line,
    name: cleanName(line.text),
    parts: null,
    words: line.words,
    isParted: true,
    valueAt: null,
    leftOver: [],
  };
}

/** Reports whether a line starts with a value: a number, or a qualitative result before its expected one. */
function isValueBeforeRange(text: string, next: string): boolean {
  const kind = readValue(text)?.kind;
  if (kind === "number") return true;
  return isWholeResult(text) && (next === "" || isWholeResult(next) || /^(?:normal|ref|expected|range)/i.test(next));
}

type Read = Pick<ReadLine, "name" | "parts" | "words" | "valueAt" | "leftOver">;

function readFrom(names: readonly Cell[], rest: readonly Cell[], flag: string, context: ReadingContext): Read | null {
  const name = cleanName(
    withoutCode(names, context)
      .map(({ text }) => text)
      .join(" "),
  );
  if (!/\p{L}/u.test(name) || !rest[0] || !startsValue(rest[0].text, rest[1]?.text)) return null;
  const { texts, leftOver } = textsOf(rest);
  const parts = readParts({ ...texts, flag: texts.flag || flag }, context);
  const words = [...names, ...rest].flatMap((cell) => cell.words);
  return parts && { name, parts, words, valueAt: rest[flagMeaning(rest[0].text) && rest[1] ? 1 : 0] ?? null, leftOver };
}

/** Drops a test code of the laboratory in a cell before a known name. */
function withoutCode(names: readonly Cell[], { isKnown }: ReadingContext): readonly Cell[] {
  const [code, name] = names;
  const isCoded = code && name && names.length === 2 && /^[A-Z\d-]{1,8}$/.test(code.text) && isKnown(name.text);
  return isCoded ? [name] : names;
}

/** Reports whether a text is a value, or a flag before a value. */
function startsValue(text: string, next?: string): boolean {
  if (flagMeaning(text) && next !== undefined && readValue(next)?.kind === "number") return true;
  if (/^[<>≤≥]?\s?\d/.test(text) && readResult(text) !== null) return true;
  return isValue(text) && !isUnit(text);
}

/**
 * Reads a result in a sentence. A result behind a generic label, as in `Result: 98 mg/dL`, belongs to the name above.
 */
function readProse(line: Line, context: ReadingContext): Read | null {
  const texts = readSentence(line.text, context.isKnown);
  const parts = texts && readParts(texts, context);
  const name = texts && kindAt(texts.name) === "value" ? "" : cleanName(texts?.name.replace(/[,;]$/, "") ?? "");
  return parts && { name, parts, words: line.words, valueAt: null, leftOver: [] };
}

/** Reads a known name behind its value or between the other parts, if all of them are understood. */
function readAround(line: Line, context: ReadingContext): Read | null {
  const name = line.cells.find(({ text }) => context.isKnown(text) && !isValue(text));
  if (!name || line.cells.length < 3) return null;
  const { texts, leftOver } = textsOf(line.cells.filter((cell) => cell !== name));
  const parts = leftOver.length === 0 && startsValue(texts.value) ? readParts(texts, context) : null;
  return parts && parts.value.kind !== "words"
    ? { name: cleanName(name.text), parts, words: line.words, valueAt: null, leftOver }
    : null;
}
