import { cleanName } from "../names/clean-name.ts";
import type { Cell, Line } from "../page/page-lines.ts";
import { classifyCells } from "../row/classify-cells.ts";
import { flagMeaning } from "../row/read-flag.ts";
import { readResultText, readSentence } from "../row/read-sentence.ts";
import { isUnambiguousResult, isValue, readValue } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import { type ReadingContext, readRowParts } from "../row/row-parts.ts";
import { columnKindByPhrase } from "./column-heading.ts";
import { flagBefore, type LineReading } from "./line-reading.ts";

/** Reads a line without columns: a name, then a value that starts a cell, then the other parts. */
export function readLineWithoutColumns(line: Line, context: ReadingContext): LineReading {
  const first = line.cells[0];
  const isValueFirst = first !== undefined && startsWithValue(first.text, line.cells[1]?.text ?? "");
  const around = first && isValue(first.text) ? readNameInside(line, context) : null;
  if (around) return { line, ...around, hasSeparateValue: true };
  const { texts, leftOver } = classifyCells(line.cells);
  const only = isValueFirst ? readRowParts(texts, context) : null;
  if (only)
    return {
      line,
      name: "",
      parts: only,
      words: line.words,
      hasSeparateValue: true,
      valueSpan: line.cells[0] ?? null,
      unreadTexts: leftOver,
    };
  const flag = flagBefore(line.cells.flatMap(({ words }) => words));
  for (let place = flag === "" ? 1 : 2; place < line.cells.length; place++) {
    const names = line.cells.slice(flag === "" ? 0 : 1, place);
    const read = readNameAndValue(names, line.cells.slice(place), flag, context);
    if (read) return { line, ...read, hasSeparateValue: true };
  }
  const sentence = readProse(line, context);
  if (sentence) return { line, ...sentence, hasSeparateValue: true, isProse: true };
  return {
    line,
    name: cleanName(line.text),
    parts: null,
    words: line.words,
    hasSeparateValue: true,
    valueSpan: null,
    unreadTexts: [],
  };
}

/** Reports whether a line starts with a value: a number, or a qualitative result before its expected one. */
function startsWithValue(text: string, next: string): boolean {
  const kind = readValue(text)?.kind;
  if (kind === "number") return true;
  return (
    isUnambiguousResult(text) &&
    (next === "" || isUnambiguousResult(next) || /^(?:normal|ref|expected|range)/i.test(next))
  );
}

type PartialReading = Pick<LineReading, "name" | "parts" | "words" | "valueSpan" | "unreadTexts">;

function readNameAndValue(
  names: readonly Cell[],
  rest: readonly Cell[],
  flag: string,
  context: ReadingContext,
): PartialReading | null {
  const name = cleanName(
    dropTestCode(names, context)
      .map(({ text }) => text)
      .join(" "),
  );
  if (!/\p{L}/u.test(name) || !rest[0] || !startsValue(rest[0].text, rest[1]?.text)) return null;
  const { texts, leftOver } = classifyCells(rest);
  const parts = readRowParts({ ...texts, flag: texts.flag || flag }, context);
  const words = [...names, ...rest].flatMap((cell) => cell.words);
  return (
    parts && {
      name,
      parts,
      words,
      valueSpan: rest[flagMeaning(rest[0].text) && rest[1] ? 1 : 0] ?? null,
      unreadTexts: leftOver,
    }
  );
}

/** Drops a test code of the laboratory in a cell before a known name. */
function dropTestCode(names: readonly Cell[], { isKnown }: ReadingContext): readonly Cell[] {
  const [code, name] = names;
  const isCoded = code && name && names.length === 2 && /^[A-Z\d-]{1,8}$/.test(code.text) && isKnown(name.text);
  return isCoded ? [name] : names;
}

/** Reports whether a text is a value, or a flag before a value. */
function startsValue(text: string, next?: string): boolean {
  if (flagMeaning(text) && next !== undefined && readValue(next)?.kind === "number") return true;
  if (/^[<>≤≥]?\s?\d/.test(text) && readResultText(text) !== null) return true;
  return isValue(text) && !isUnit(text);
}

/**
 * Reads a result in a sentence. A result behind a generic label, as in `Result: 98 mg/dL`, belongs to the name above.
 */
function readProse(line: Line, context: ReadingContext): PartialReading | null {
  const texts = readSentence(line.text, context.isKnown);
  const parts = texts && readRowParts(texts, context);
  const name =
    texts && columnKindByPhrase(texts.name) === "value" ? "" : cleanName(texts?.name.replace(/[,;]$/, "") ?? "");
  return parts && { name, parts, words: line.words, valueSpan: null, unreadTexts: [] };
}

/** Reads a known name behind its value or between the other parts, if all of them are understood. */
function readNameInside(line: Line, context: ReadingContext): PartialReading | null {
  const name = line.cells.find(({ text }) => context.isKnown(text) && !isValue(text));
  if (!name || line.cells.length < 3) return null;
  const { texts, leftOver } = classifyCells(line.cells.filter((cell) => cell !== name));
  const parts = leftOver.length === 0 && startsValue(texts.value) ? readRowParts(texts, context) : null;
  return parts && parts.value.kind !== "words"
    ? { name: cleanName(name.text), parts, words: line.words, valueSpan: null, unreadTexts: leftOver }
    : null;
}
