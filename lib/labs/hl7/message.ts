import { ReportRefused } from "../../domain/results/lab-report.ts";

/** The encoding characters of a message, declared in its MSH segment. */
export interface Separators {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
}

/** A segment: its name and its raw fields, counted from 1 as in the standard. */
export interface Segment {
  readonly name: string;
  readonly fields: readonly string[];
}

/** An HL7 version 2 message. */
export interface Message {
  readonly separators: Separators;
  readonly segments: readonly Segment[];
}

/** Position of a value in a segment, counted from 1 as in the standard. */
export interface ValuePosition {
  readonly component?: number;
  readonly repetition?: number;
  readonly subcomponent?: number;
}

export const defaultSeparators: Separators = {
  field: "|",
  component: "^",
  repetition: "~",
  escape: "\\",
  subcomponent: "&",
};

/** A message with a thousand results is shorter. */
const MAX_CHARACTERS = 4_000_000;
const MAX_SEGMENTS = 20_000;
const SEGMENT_NAME = /^[A-Z][A-Z0-9]{2}$/;
/** The frame of the MLLP transport: a vertical tab before and a file separator after the message. */
const FRAME = { begin: "\u000b", end: "\u001c" } as const;

/**
 * Parses a message. Accepts all common line endings, although the standard has one.
 * @throws ReportRefused for an invalid message. The error names the line and repeats none of its content.
 */
export function parseMessage(text: string): Message {
  if (text.length > MAX_CHARACTERS) throw new ReportRefused("The message is too long.");
  const lines = text
    .replace(FRAME.begin, "")
    .replace(FRAME.end, "")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "");
  if (lines.length > MAX_SEGMENTS) throw new ReportRefused("The message has too many segments.");
  const separators = readSeparators(lines[0] ?? "");
  const segments = lines.map((line, index) => {
    const [name = "", ...fields] = line.split(separators.field);
    if (!SEGMENT_NAME.test(name)) throw new ReportRefused(`Line ${index + 1} is not a segment.`);
    // MSH-1 is the field separator itself.
    return { name, fields: name === "MSH" ? [separators.field, ...fields] : fields };
  });
  if (segments.filter(({ name }) => name === "MSH").length > 1)
    throw new ReportRefused("The message has several MSH segments.");
  return { separators, segments };
}

function readSeparators(header: string): Separators {
  if (!header.startsWith("MSH")) throw new ReportRefused("The first line is not an MSH segment.");
  const [field = "", ...rest] = header.slice(3);
  const [component = "", repetition = "", mark = "", subcomponent = ""] = rest;
  const all = [field, component, repetition, mark, subcomponent];
  const isMark = (character: string) => /^[!-/:-@[-`{-~]$/.test(character);
  if (!all.every(isMark) || new Set(all).size !== all.length)
    throw new ReportRefused("The encoding characters in MSH are invalid.");
  return { field, component, repetition, escape: mark, subcomponent };
}

/** The first segment with a name, or undefined. */
export const findSegment = ({ segments }: Message, name: string): Segment | undefined =>
  segments.find((segment) => segment.name === name);

/** The unescaped value at a position; empty if absent. `""`, which deletes a value, is empty too. */
export function valueAt(
  { separators }: Message,
  segment: Segment | undefined,
  field: number,
  { component = 1, repetition = 1, subcomponent = 1 }: ValuePosition = {},
): string {
  const written = segment?.fields[field - 1] ?? "";
  const value = written
    .split(separators.repetition)
    [repetition - 1]?.split(separators.component)
    [component - 1]?.split(separators.subcomponent)[subcomponent - 1];
  return value === undefined || value === '""' ? "" : unescapeValue(value, separators).trim();
}

/** Number of repetitions of a field. */
export const countRepetitions = ({ separators }: Message, segment: Segment, field: number): number =>
  (segment.fields[field - 1] ?? "").split(separators.repetition).length;

/** Resolves escape sequences: separators, line breaks and hexadecimal characters. Highlighting is dropped. */
export function unescapeValue(value: string, separators: Separators): string {
  const mark = separators.escape;
  if (!value.includes(mark)) return value;
  // An escape sequence stands between two escape characters; an unpaired last one stands for itself.
  const parts = value.split(mark);
  return parts.map((part, index) => (index % 2 === 0 ? part : resolveEscape(part, index, parts, separators))).join("");
}

function resolveEscape(code: string, index: number, parts: readonly string[], separators: Separators): string {
  if (index === parts.length - 1) return separators.escape + code;
  const marks: Readonly<Record<string, string>> = {
    F: separators.field,
    S: separators.component,
    T: separators.subcomponent,
    R: separators.repetition,
    E: separators.escape,
    ".br": "\n",
  };
  const hex = /^X((?:[0-9A-Fa-f]{2})+)$/.exec(code)?.[1];
  return hex ? Buffer.from(hex, "hex").toString("utf8") : (marks[code] ?? "");
}
