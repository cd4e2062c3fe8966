import { ReportRefused } from "../../domain/results/lab-report.ts";

/** The characters by which a message separates its parts; it says them itself, in its first segment. */
export interface Separators {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
}

/** A line of a message: its name and its fields as they are written, counted from 1 as the standard counts. */
export interface Segment {
  readonly name: string;
  readonly fields: readonly string[];
}

/** A message of HL7 version 2. */
export interface Message {
  readonly separators: Separators;
  readonly segments: readonly Segment[];
}

/** Where a value stands within a segment, each counted from 1 as the standard counts. */
export interface Place {
  readonly component?: number;
  readonly repetition?: number;
  readonly subcomponent?: number;
}

export const usualSeparators: Separators = {
  field: "|",
  component: "^",
  repetition: "~",
  escape: "\\",
  subcomponent: "&",
};

/** A message of a thousand results has less; more is no message. */
const MAX_CHARACTERS = 4_000_000;
const MAX_SEGMENTS = 20_000;
const SEGMENT_NAME = /^[A-Z][A-Z0-9]{2}$/;
/** The frame of the transport (MLLP): vertical tab before, file separator after. */
const FRAME = { begin: "\u000b", end: "\u001c" } as const;

/**
 * Reads a message; lines may end in any of the usual ways, although the standard has one.
 * @throws ReportRefused for what is no message; it says which line is wrong, and repeats nothing of it.
 */
export function parseMessage(text: string): Message {
  if (text.length > MAX_CHARACTERS) throw new ReportRefused("The message is too long.");
  const lines = text
    .replace(FRAME.begin, "")
    .replace(FRAME.end, "")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "");
  if (lines.length > MAX_SEGMENTS) throw new ReportRefused("The message has too many segments.");
  const separators = separatorsOf(lines[0] ?? "");
  const segments = lines.map((line, index) => {
    const [name = "", ...fields] = line.split(separators.field);
    if (!SEGMENT_NAME.test(name)) throw new ReportRefused(`Line ${index + 1} is no segment.`);
    // The separator itself counts as the first field of the header.
    return { name, fields: name === "MSH" ? [separators.field, ...fields] : fields };
  });
  if (segments.filter(({ name }) => name === "MSH").length > 1) throw new ReportRefused("There are several headers.");
  return { separators, segments };
}

function separatorsOf(header: string): Separators {
  if (!header.startsWith("MSH")) throw new ReportRefused("The first line is no header.");
  const [field = "", ...rest] = header.slice(3);
  const [component = "", repetition = "", mark = "", subcomponent = ""] = rest;
  const all = [field, component, repetition, mark, subcomponent];
  const isMark = (character: string) => /^[!-/:-@[-`{-~]$/.test(character);
  if (!all.every(isMark) || new Set(all).size !== all.length)
    throw new ReportRefused("The header's separators are wrong.");
  return { field, component, repetition, escape: mark, subcomponent };
}

/** The first segment with a name, or undefined. */
export const segmentOf = ({ segments }: Message, name: string): Segment | undefined =>
  segments.find((segment) => segment.name === name);

/** The value at a place of a segment, unescaped; empty where there is none. `""`, which deletes a value, is empty too. */
export function valueAt(
  { separators }: Message,
  segment: Segment | undefined,
  field: number,
  { component = 1, repetition = 1, subcomponent = 1 }: Place = {},
): string {
  const written = segment?.fields[field - 1] ?? "";
  const value = written
    .split(separators.repetition)
    [repetition - 1]?.split(separators.component)
    [component - 1]?.split(separators.subcomponent)[subcomponent - 1];
  return value === undefined || value === '""' ? "" : unescaped(value, separators).trim();
}

/** How many repetitions a field has. */
export const repetitionsOf = ({ separators }: Message, segment: Segment, field: number): number =>
  (segment.fields[field - 1] ?? "").split(separators.repetition).length;

/** The text of a value: escaped separators, line breaks and hexadecimal characters resolved, highlighting dropped. */
export function unescaped(value: string, separators: Separators): string {
  const mark = separators.escape;
  if (!value.includes(mark)) return value;
  // Between two escape characters stands what is meant; a last one without its partner is itself.
  const parts = value.split(mark);
  return parts.map((part, index) => (index % 2 === 0 ? part : meantBy(part, index, parts, separators))).join("");
}

function meantBy(code: string, index: number, parts: readonly string[], separators: Separators): string {
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
