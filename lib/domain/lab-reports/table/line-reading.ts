import { cleanName, dropSiteCode } from "../names/clean-name.ts";
import { characterWidth, hasCellGap, type Line, rightOf, splitCells, textOf } from "../page/page-lines.ts";
import type { ReportWord } from "../page/report-page.ts";
import { isFlagSign } from "../row/flag-signs.ts";
import { flagMeaning } from "../row/read-flag.ts";
import { formatBounds } from "../row/read-range.ts";
import { isUnambiguousResult } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import { type ReadingContext, type RowParts, readRowParts } from "../row/row-parts.ts";
import { mayBeResultText } from "../row/unread-texts.ts";
import type { ColumnAssignment } from "./assign-columns.ts";
import type { ColumnKind } from "./heading-phrases.ts";

/** A line read as part of a table: its name and the parts of its result. */
export interface LineReading {
  readonly line: Line;
  readonly name: string;
  readonly parts: RowParts | null;
  readonly words: readonly ReportWord[];
  /** Whether a gap separates the value from the name, unlike words of a sentence. */
  readonly hasSeparateValue: boolean;
  /** Whether the line is a sentence without a cell gap between name and value. */
  readonly isProse?: boolean;
  /** Horizontal extent of the value; null without a value or a value column. */
  readonly valueSpan: { readonly left: number; readonly right: number } | null;
  /** Unread texts of the line that may be result content. */
  readonly unreadTexts: readonly string[];
}

/** Reads a line by its column assignment. */
export function readLineByColumns(line: Line, assigned: ColumnAssignment, context: ReadingContext): LineReading {
  const words = (kind: ColumnKind) =>
    [...assigned].filter(([column]) => column.kind === kind).flatMap(([, own]) => own);
  const text = (kind: ColumnKind) => textOf(words(kind));
  const used = (["name", "value", "flag", "units", "range", "low", "high"] as const).flatMap(words);
  const bounds = formatBounds(text("low"), text("high"));
  const flagAhead = flagBefore(words("name"));
  const judged = text("value") === "" ? 0 : countFlagWordsBehind(words("name"));
  const names = words("name").slice(flagAhead === "" ? 0 : 1, words("name").length - judged);
  const judgement = textOf(words("name").slice(words("name").length - judged));
  const texts = {
    name: textOf(names),
    value: text("value"),
    flag: flagOf(assigned) || flagAhead || judgement,
    units: text("units"),
    range: text("range") || bounds,
  };
  const read = readRowParts(texts, context);
  const parts = read && { ...read, units: read.units ?? unitFromHeading(read, texts.name, assigned) };
  const isNameAlone = used.length === words("name").length;
  const isSentence = line.cells.length === 1 && line.words.length > 5 && !isNameAlone;
  const name = parts || isNameAlone ? cleanName(dropSiteCode(names)) : "";
  const flags = [...assigned].filter(([{ kind }]) => kind === "flag").map(([, own]) => textOf(own));
  const unknown = [...assigned].filter(([{ isUnknown }]) => isUnknown).map(([, own]) => textOf(own));
  const leftOver = [...flags.filter(isUnknownSign), ...[...flags, ...unknown].filter(mayBeResultText)].filter(
    (other) => other !== texts.flag,
  );
  const isParted = isSeparated(names, words("value"), parts, isSentence);
  const [first, last] = [words("value")[0], words("value").at(-1)];
  const valueAt = first && last ? { left: first.left, right: rightOf(last) } : null;
  return { line, name, parts, words: used, hasSeparateValue: isParted, valueSpan: valueAt, unreadTexts: leftOver };
}

/** Signs whose meaning as a flag is unknown. */
const isUnknownSign = (text: string) => /^[^\p{L}\d\s.–—-]+$/u.test(text) && flagMeaning(text) === undefined;

/** The unit in the heading of the value column, for numbers without a unit. Ratios have none. */
function unitFromHeading({ value }: RowParts, name: string, assigned: ColumnAssignment): string | null {
  const isPlain = value.kind !== "number" || /\b(?:ratio|index|inr|ph)\b/i.test(name);
  return isPlain ? null : ([...assigned.keys()].find(({ kind, units }) => kind === "value" && units)?.units ?? null);
}

/** A separate flag before a name; empty if there is none. */
export function flagBefore(words: readonly ReportWord[]): string {
  const [first, second] = words;
  const isName =
    second !== undefined && /\p{L}{2}/u.test(second.text) && (!isUnit(second.text) || /^ph$/i.test(second.text));
  return first && isName && hasCellGap(first, second) && flagMeaning(first.text) ? first.text : "";
}

/** Number of separate words behind a name that are a flag. One or two letters may be a site code. */
function countFlagWordsBehind(words: readonly ReportWord[]): number {
  const last = splitCells(words).slice(1).at(-1);
  return last && flagMeaning(last.text) && !/^[A-Z]{1,2}$/i.test(last.text) ? last.words.length : 0;
}

/** Words need a cell gap before them; numbers need slightly more than a space. */
function isSeparated(
  names: readonly ReportWord[],
  values: readonly ReportWord[],
  parts: RowParts | null,
  isSentence: boolean,
): boolean {
  const [last, first] = [names.at(-1), values[0]];
  if (isSentence) return false;
  if (!last || !first || hasCellGap(last, first) || isUnambiguousResult(textOf(values))) return true;
  return parts?.value.kind === "number" && first.left - rightOf(last) > 0.9 * characterWidth(last);
}

/** The flag in the first flag column that has one. A status column may only state that a result is final. */
function flagOf(assigned: ColumnAssignment): string {
  const texts = [...assigned].filter(([{ kind }]) => kind === "flag").map(([, words]) => textOf(words));
  return texts.find((text) => flagMeaning(text) !== undefined || isFlagSign(text)) ?? "";
}
