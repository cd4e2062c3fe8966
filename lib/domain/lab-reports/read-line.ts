import type { Assigned } from "./assign-columns.ts";
import type { ColumnKind } from "./headings.ts";
import { type Cell, cellsOf, type Line, textOf } from "./page-lines.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange, readRange } from "./read-range.ts";
import { isResultWords, isValue, readValue } from "./read-value.ts";
import type { ReportWord } from "./report-page.ts";
import { isUnit } from "./report-units.ts";
import { type RowParts, type RowTexts, readParts } from "./row-parts.ts";

/** A line seen as part of a table: what of it is a name, and what it says of a result. */
export interface ReadLine {
  readonly line: Line;
  readonly name: string;
  readonly parts: RowParts | null;
  readonly words: readonly ReportWord[];
}

const LOINC = /^\d{3,5}-\d$/;

/** Reads a line by the columns that its words were put into. */
export function readAssigned(line: Line, assigned: Assigned, isRecognised: boolean): ReadLine {
  const words = (kind: ColumnKind) =>
    [...assigned].filter(([column]) => column.kind === kind).flatMap(([, own]) => own);
  const text = (kind: ColumnKind) => textOf(words(kind));
  const used = (["name", "value", "flag", "units", "range"] as const).flatMap(words);
  const texts = {
    name: text("name"),
    value: text("value"),
    flag: text("flag"),
    units: text("units"),
    range: text("range"),
  };
  const parts = readParts(texts, isRecognised);
  const isNameAlone = used.length === words("name").length;
  return { line, name: parts || isNameAlone ? cleanName(withoutSite(words("name"))) : "", parts, words: used };
}

/** The words of a name without the code of a site that stands apart behind it. */
function withoutSite(words: readonly ReportWord[]): string {
  const cells = cellsOf(words);
  const last = cells.at(-1)?.text ?? "";
  return textOf(
    cells.length > 1 && /^(?:\d{2}|[A-Z]{2})$/.test(last) ? cells.slice(0, -1).flatMap((cell) => cell.words) : words,
  );
}

/** Reads a line without headings: a name, then a value where a new text begins, then what else belongs to it. */
export function readLoose(line: Line, isRecognised: boolean): ReadLine {
  for (let place = 1; place < line.cells.length; place++) {
    const read = readFrom(line.cells.slice(0, place), line.cells.slice(place), isRecognised);
    if (read) return { line, ...read };
  }
  const sentence = readSentence(line, isRecognised);
  if (sentence) return { line, ...sentence };
  const first = line.cells[0];
  const parts = first && startsValue(first.text) ? readParts(textsOf(line.cells), isRecognised) : null;
  return { line, name: parts ? "" : cleanName(line.text), parts, words: line.words };
}

type Read = Pick<ReadLine, "name" | "parts" | "words">;

function readFrom(names: readonly Cell[], rest: readonly Cell[], isRecognised: boolean): Read | null {
  const name = cleanName(names.map(({ text }) => text).join(" "));
  if (!/\p{L}/u.test(name) || !rest[0] || !startsValue(rest[0].text, rest[1]?.text)) return null;
  const parts = readParts(textsOf(rest), isRecognised);
  return parts && { name, parts, words: [...names, ...rest].flatMap(({ words }) => words) };
}

/** Whether a text is a value, or a flag that stands before one. */
function startsValue(text: string, next?: string): boolean {
  if (flagMeaning(text) && next !== undefined && readValue(next)?.kind === "number") return true;
  return isValue(text) && !isUnit(text);
}

/** Tells cells behind a name apart by what they are. */
function textsOf(cells: readonly Cell[]): RowTexts {
  const texts = { name: "", value: "", flag: "", units: "", range: "" };
  const [first, second] = cells;
  const isFlagFirst = first && second && flagMeaning(first.text) !== undefined && isValue(second.text);
  if (isFlagFirst) texts.flag = first.text;
  for (const { text } of cells.slice(isFlagFirst ? 1 : 0)) put(texts, text);
  return texts;
}

function put(texts: { value: string; flag: string; units: string; range: string }, text: string): void {
  if (texts.value === "") texts.value = text;
  else if (texts.flag === "" && flagMeaning(text)) texts.flag = text;
  else if (texts.units === "" && isUnit(text)) texts.units = text;
  else if (texts.range === "" && (isRange(text) || isResultWords(text))) texts.range = text;
  else putParts(texts, text);
}

/** Puts a text in which two things stand: a flag and a unit, a unit and a range. */
function putParts(texts: { flag: string; units: string; range: string }, text: string): void {
  const [, first = "", rest = ""] = /^(\S+)\s+(.+)$/.exec(text) ?? [];
  if (rest === "") return;
  const isFlag = texts.flag === "" && flagMeaning(first) !== undefined;
  const isFirstUnit = texts.units === "" && isUnit(first);
  if (isFlag) texts.flag = first;
  else if (isFirstUnit) texts.units = first;
  else return;
  if (texts.units === "" && isUnit(rest)) texts.units = rest;
  else if (texts.range === "" && (isRange(rest) || readRange(rest).expected !== null)) texts.range = rest;
  else putParts(texts, rest);
}

/** `Glucose: 98 mg/dL (65-99)`. */
function readSentence(line: Line, isRecognised: boolean): Read | null {
  const [, name = "", value = "", rest = ""] =
    /^([^:]{1,60}?)\s*:\s*((?:[<>]=?\s*)?[\d.,]+(?:\s+(?:HH|LL|H|L|\*))?)\s+(\S.*)$/.exec(line.text) ?? [];
  const [, units = "", range = ""] = /^([^\s(]+)\s*(.*)$/.exec(rest) ?? [];
  if (!/\p{L}/u.test(name) || !isUnit(units)) return null;
  const parts = readParts({ name, value, flag: "", units, range }, isRecognised);
  return parts && { name: cleanName(name), parts, words: line.words };
}

/** A name without what codes and marks stand beside it. */
function cleanName(printed: string): string {
  const words = printed.split(" ").filter((word) => word !== "" && !LOINC.test(word) && !/^[•◦▪■□►*†‡§|]+$/.test(word));
  const text = words
    .join(" ")
    .replace(/[\s.:_…]+$/, "")
    .replace(/^[\s.:_…•]+/, "");
  return /\.$/.test(printed.trim()) && /\b\p{L}{1,4}$/u.test(text) && words.length > 0
    ? withPoint(printed, text)
    : text;
}

/** Abbreviations keep their point: `Sp. Gr.`, not `Glucose...`. */
const withPoint = (printed: string, text: string) => (/[^.]\.$/.test(printed.trim()) ? `${text}.` : text);
