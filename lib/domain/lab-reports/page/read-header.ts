import type { ReportMetadata } from "../wire-parsing-job.ts";
import { type HeaderField, headerFieldOf, MAX_LABEL_WORDS } from "./header-labels.ts";
import type { Line } from "./page-lines.ts";
import { type Cell, hasCellGap, median, textOf } from "./page-lines.ts";
import { type Century, centuryOfBirth, isDayFirst, nearestCentury, readDate } from "./report-dates.ts";
import type { ReportWord } from "./report-page.ts";
import { splitName } from "./split-name.ts";

/**
 * Reads patient, laboratory and dates from the labelled values of a report. A value stands behind or below its label.
 * @param today day of the submission, `YYYY-MM-DD`.
 */
export function readHeader(pages: readonly (readonly Line[])[], today: string): ReportMetadata {
  const found = new Map<HeaderField, string>();
  for (const lines of pages) {
    for (const [place, line] of lines.entries()) {
      for (const { field, value } of readLabelledValues(line, lines[place + 1])) {
        if (!found.has(field) && fits(field, value)) found.set(field, value);
      }
    }
  }
  const isSwapped = isDayFirst(pages.flatMap((lines) => lines.map(({ text }) => text)).join("\n"));
  const date = (field: HeaderField, century: Century) => readDate(found.get(field) ?? "", { isSwapped, century });
  const name = splitName(found.get("patient_name") ?? "");
  return {
    patient_first_name: found.get("first_name") ?? name.first,
    patient_last_name: found.get("last_name") ?? name.last,
    dob: date("dob", centuryOfBirth(today)),
    gender: parseGender(found.get("gender") ?? "") ?? "other",
    lab_name: findLabName(pages[0] ?? []) ?? found.get("lab_name") ?? null,
    date_reported: date("date_reported", nearestCentury(today)),
    date_collected: date("date_collected", nearestCentury(today)),
    specimen_number: found.get("specimen_number") ?? null,
  };
}

interface LabelledValue {
  readonly field: HeaderField;
  readonly value: string;
}

function readLabelledValues(line: Line, below: Line | undefined): LabelledValue[] {
  const found: LabelledValue[] = [];
  const { words } = line;
  for (let place = 0; place < words.length; ) {
    const label = matchLabel(words, place);
    if (!label) place++;
    else {
      const end = endOfValue(words, place + label.length);
      const own = textOf(words.slice(place + label.length, end));
      const value = own !== "" ? own : textBelow(below, words.slice(place, place + label.length));
      found.push({ field: label.field, value: value.replace(/^[:#\s]+/, "") });
      place = Math.max(end, place + label.length);
    }
  }
  return found;
}

/** The longest label at a position. It ends with a colon or before a cell gap. */
function matchLabel(words: readonly ReportWord[], place: number): { field: HeaderField; length: number } | undefined {
  const before = words[place - 1];
  for (let length = Math.min(MAX_LABEL_WORDS, words.length - place); length > 0; length--) {
    const part = words.slice(place, place + length);
    const [last, next] = [part.at(-1), words[place + length]];
    const isEnded = /[:#]$/.test(last?.text ?? "") || !next || (last && hasCellGap(last, next)) || next.text === ":";
    const isBegun = !before || hasCellGap(before, part[0] as ReportWord) || /:$/.test(last?.text ?? "");
    const field = headerFieldOf(textOf(part));
    if (field && isEnded && isBegun) return { field, length };
    const second = field && next?.text === "/" && isBegun ? matchTranslation(words, place + length + 1) : 0;
    if (field && second > 0) return { field, length: length + 1 + second };
  }
  return undefined;
}

/** Number of words by which a label continues in another language, as in `Sex / Sexe:`; 0 without a colon. */
function matchTranslation(words: readonly ReportWord[], from: number): number {
  const own = words.slice(from, from + MAX_LABEL_WORDS);
  const end = own.findIndex(({ text }) => text.endsWith(":"));
  const isTogether = own.slice(1, end + 1).every((word, place) => !hasCellGap(own[place] as ReportWord, word));
  return isTogether ? end + 1 : 0;
}

/** A value ends before the next label, or before a cell gap once it has words. */
function endOfValue(words: readonly ReportWord[], from: number): number {
  let end = from;
  while (end < words.length && !matchLabel(words, end)) {
    const [last, next] = [words[end - 1], words[end]];
    const isGap = end > from && last && next && last.text !== ":" && hasCellGap(last, next);
    if (isGap) break;
    end++;
  }
  return end;
}

function textBelow(below: Line | undefined, label: readonly ReportWord[]): string {
  const [first, last] = [label[0], label.at(-1)];
  if (!below || !first || !last) return "";
  const right = last.left + last.width;
  const under = below.cells.find((cell) => cell.left < right && first.left - 3 < cell.right && cell.right > first.left);
  return under && !matchLabel(under.words, 0) ? under.text : "";
}

function fits(field: HeaderField, value: string): boolean {
  if (value === "" || field === "other") return false;
  if (field === "dob" || field.startsWith("date_")) return readDate(value) !== null;
  if (field === "gender") return parseGender(value) !== null;
  if (field === "specimen_number") return /\d/.test(value) && readDate(value) === null;
  return /\p{L}{2}/u.test(value) && headerFieldOf(value) === undefined;
}

function parseGender(text: string): "male" | "female" | "other" | null {
  const [first = ""] = /[a-z]+/i.exec(text) ?? [];
  if (/^(?:f|female|woman)$/i.test(first)) return "female";
  if (/^(?:m|male|man)$/i.test(first)) return "male";
  return /^(?:o|x|other|nonbinary|u|unknown)$/i.test(first) ? "other" : null;
}

const LAB =
  /\b(?:laborator(?:y|ies)|labs?|diagnostics?|pathology|clinic|hospital|reference lab|health|medical center|bioscience)\b/i;

/** The first text at the top of the page that names a laboratory, else the largest text there. */
function findLabName(lines: readonly Line[]): string | null {
  const cells = lines.slice(0, 8).flatMap((line) => line.cells);
  const isName = ({ text }: Cell) =>
    !text.includes(":") && !/\d{3}|\breport\b|results?\b|\bpage\b/i.test(text) && headerFieldOf(text) === undefined;
  const names = cells.filter(isName);
  const height = ({ words }: Cell) => median(words.map((word) => word.height));
  const usual = median(lines.flatMap(({ words }) => words.map((word) => word.height)));
  const largest = names.toSorted((a, b) => height(b) - height(a))[0];
  const named = names.find(({ text }) => LAB.test(text));
  return (named ?? (largest && height(largest) > usual * 1.2 ? largest : undefined))?.text ?? null;
}
