import { defaultSeparators } from "./message.ts";

/** A field to write: its text, or its components. */
export type FieldValue = string | number | null | undefined | readonly (string | null | undefined)[];

const { field: FIELD, component: COMPONENT, repetition, escape: ESCAPE, subcomponent } = defaultSeparators;
const codes: Readonly<Record<string, string>> = {
  [FIELD]: "F",
  [COMPONENT]: "S",
  [subcomponent]: "T",
  [repetition]: "R",
  [ESCAPE]: "E",
};

/** Escapes separators and line breaks of a text, and drops other control characters. */
function escapeText(text: string): string {
  return (
    text
      .replaceAll(/[|^&~\\]/g, (mark) => `${ESCAPE}${codes[mark] ?? ""}${ESCAPE}`)
      .replaceAll(/\r\n|\r|\n/g, `${ESCAPE}.br${ESCAPE}`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a message
      .replaceAll(/[\u0000-\u001f\u007f]/g, "")
  );
}

/** Writes a segment without trailing empty fields. */
export function writeSegment(name: string, fields: readonly FieldValue[]): string {
  const written = fields.map((field) =>
    typeof field === "object" && field !== null
      ? joinTrimmed(
          field.map((part) => escapeText(part ?? "")),
          COMPONENT,
        )
      : escapeText(String(field ?? "")),
  );
  return [name, ...written].join(FIELD).replace(/\|+$/, "");
}

/** Arranges fields by their numbers in the segment. The other fields stay empty. */
export const numberedFields = (fields: Readonly<Record<number, FieldValue>>): FieldValue[] =>
  Array.from({ length: Math.max(...Object.keys(fields).map(Number)) }, (_, index) => fields[index + 1]);

const joinTrimmed = (parts: readonly string[], separator: string) => {
  const last = parts.findLastIndex((part) => part !== "");
  return parts.slice(0, last + 1).join(separator);
};

/** Sender, receiver and type of a message. */
export interface MessageHeader {
  readonly sender: string;
  readonly receiver: string;
  /** For example `ORU^R01`. */
  readonly type: readonly string[];
  /** Message control id. */
  readonly control: string;
  /** ISO 8601. */
  readonly at: string;
  /** `P` for production, `T` for training. */
  readonly processing: "P" | "T";
}

/** Writes the MSH segment. */
export function writeHeader({ sender, receiver, type, control, at, processing }: MessageHeader): string {
  const rest = writeSegment("MSH", [sender, "", receiver, "", toHl7Time(at), "", type, control, processing, "2.5.1"]);
  const separators = `${COMPONENT}${repetition}${ESCAPE}${subcomponent}`;
  return rest.replace("MSH|", `MSH|${separators}|`);
}

/** Writes a message; each segment ends with a carriage return. */
export const writeMessage = (segments: readonly string[]): string => segments.map((line) => `${line}\r`).join("");

/** Formats an instant as an HL7 time in UTC. */
export const toHl7Time = (iso: string): string =>
  `${new Date(iso).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}+0000`;
