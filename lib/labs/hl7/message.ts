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

const MAX_SEGMENTS = 20_000;
const SEGMENT_NAME = /^[A-Z][A-Z0-9]{2}$/;

/** The field separator that a header segment (MSH, BHS, FHS) declares. */
export const fieldSeparatorOf = (header: string): string => header.charAt(3);

/**
 * Parses one message, whose segments a line ending separates.
 * @throws ReportRefused for an invalid message. The error names the line and repeats none of its content.
 */
export function parseMessage(text: string): Message {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  if (lines.length > MAX_SEGMENTS) throw new ReportRefused("The message has too many segments.");
  const separators = readSeparators(lines[0] ?? "");
  const segments = lines.map((line, index) => {
    const [name = "", ...fields] = line.split(separators.field);
    if (!SEGMENT_NAME.test(name)) throw new ReportRefused(`Line ${index + 1} is not a segment.`);
    // MSH-1 is the field separator itself.
    return { name, fields: name === "MSH" ? [separators.field, ...fields] : fields };
  });
  return { separators, segments };
}

/** Reads MSH-1 and MSH-2. Encoding characters that MSH-2 leaves out are the usual ones (HL7 v2.5.1, 2.5.4). */
function readSeparators(header: string): Separators {
  if (!header.startsWith("MSH")) throw new ReportRefused("The first line is not an MSH segment.");
  const field = fieldSeparatorOf(header);
  const given = [...(header.slice(4).split(field)[0] ?? "")];
  const usual = [
    defaultSeparators.component,
    defaultSeparators.repetition,
    defaultSeparators.escape,
    defaultSeparators.subcomponent,
  ];
  const [component = "", repetition = "", mark = "", subcomponent = ""] = usual.map(
    (one, place) => given[place] ?? one,
  );
  const all = [field, component, repetition, mark, subcomponent];
  const isMark = (character: string) => /^[!-/:-@[-`{-~]$/.test(character);
  if (given.length === 0 || !all.every(isMark) || new Set(all).size !== all.length)
    throw new ReportRefused("The encoding characters in MSH are invalid.");
  return { field, component, repetition, escape: mark, subcomponent };
}

/** The first segment with a name, or undefined. */
export const findSegment = ({ segments }: Message, name: string): Segment | undefined =>
  segments.find((segment) => segment.name === name);

/** The first segment with a name among lines, or undefined. */
export const findSegmentIn = (lines: readonly { readonly segment: Segment }[], name: string): Segment | undefined =>
  lines.find(({ segment }) => segment.name === name)?.segment;

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

/** The repetitions of a field, raw. */
export const repetitionsOf = ({ separators }: Message, segment: Segment, field: number): readonly string[] =>
  (segment.fields[field - 1] ?? "").split(separators.repetition);

/** The unescaped components of one repetition of a field. `""`, which deletes a value, is empty. */
export const componentsOf = ({ separators }: Message, repetition: string): readonly string[] =>
  repetition.split(separators.component).map((part) => (part === '""' ? "" : unescapeValue(part, separators).trim()));

/**
 * The unescaped text of a field of text, one line for each repetition. Separators of components stay, because senders
 * forget to escape them and such a field has no components.
 */
export const textOf = (message: Message, segment: Segment, field: number): string =>
  repetitionsOf(message, segment, field)
    .map((line) => (line === '""' ? "" : unescapeValue(line, message.separators)))
    .join("\n")
    .trim();

/** Resolves escape sequences: separators, line breaks, spaces and hexadecimal characters. Highlighting is dropped. */
export function unescapeValue(value: string, separators: Separators): string {
  const mark = separators.escape;
  if (!value.includes(mark)) return value;
  // An escape sequence stands between two escape characters; an unpaired last one stands for itself.
  const parts = value.split(mark);
  return parts.map((part, index) => (index % 2 === 0 ? part : resolveEscape(part, index, parts, separators))).join("");
}

/** Formatting commands that end a line: `.br`, `.sp` with a number of lines, `.ce` before a centred line. */
const LINE_BREAK = /^\.(?:br|ce|sp\s*\+?(\d{0,2}))$/;
/** `.sk` with a number of spaces. */
const SPACES = /^\.sk\s*\+?(\d{0,2})$/;

function resolveEscape(code: string, index: number, parts: readonly string[], separators: Separators): string {
  if (index === parts.length - 1) return separators.escape + code;
  const marks: Readonly<Record<string, string>> = {
    F: separators.field,
    S: separators.component,
    T: separators.subcomponent,
    R: separators.repetition,
    E: separators.escape,
  };
  const lines = LINE_BREAK.exec(code);
  if (lines) return "\n".repeat(Number(lines[1] || 1));
  const spaces = SPACES.exec(code);
  if (spaces) return " ".repeat(Number(spaces[1] || 1));
  const hex = /^X((?:[0-9A-Fa-f]{2})+)$/.exec(code)?.[1];
  return hex ? decodeHexadecimal(Buffer.from(hex, "hex")) : (marks[code] ?? "");
}

/** Decodes bytes of a hexadecimal escape, whose character set the standard leaves open: UTF-8, else Latin-1. */
function decodeHexadecimal(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? bytes.toString("latin1") : text;
}
