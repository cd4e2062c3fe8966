import { usualSeparators } from "./message.ts";

/** A field to write: its text, or its components. */
export type Field = string | number | null | undefined | readonly (string | null | undefined)[];

const { field: FIELD, component: COMPONENT, repetition, escape: ESCAPE, subcomponent } = usualSeparators;
const codes: Readonly<Record<string, string>> = {
  [FIELD]: "F",
  [COMPONENT]: "S",
  [subcomponent]: "T",
  [repetition]: "R",
  [ESCAPE]: "E",
};

/** A text as it may stand in a message: separators and line breaks escaped, other control characters left out. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll(/[|^&~\\]/g, (mark) => `${ESCAPE}${codes[mark] ?? ""}${ESCAPE}`)
      .replaceAll(/\r\n|\r|\n/g, `${ESCAPE}.br${ESCAPE}`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a message
      .replaceAll(/[\u0000-\u001f\u007f]/g, "")
  );
}

/** One line of a message; empty fields at its end are left out. */
export function segment(name: string, fields: readonly Field[]): string {
  const written = fields.map((field) =>
    typeof field === "object" && field !== null
      ? trimmed(
          field.map((part) => escaped(part ?? "")),
          COMPONENT,
        )
      : escaped(String(field ?? "")),
  );
  return [name, ...written].join(FIELD).replace(/\|+$/, "");
}

const trimmed = (parts: readonly string[], separator: string) => {
  const last = parts.findLastIndex((part) => part !== "");
  return parts.slice(0, last + 1).join(separator);
};

/** Who a message goes from and to, and what it is. */
export interface Header {
  readonly sender: string;
  readonly receiver: string;
  /** As in `ORU^R01`. */
  readonly type: readonly string[];
  /** The message's own number. */
  readonly control: string;
  /** ISO 8601. */
  readonly at: string;
  /** `P` for production, `T` for training. */
  readonly processing: "P" | "T";
}

/** The first line of a message. */
export function header({ sender, receiver, type, control, at, processing }: Header): string {
  const rest = segment("MSH", [sender, "", receiver, "", toHl7Time(at), "", type, control, processing, "2.5.1"]);
  const separators = `${COMPONENT}${repetition}${ESCAPE}${subcomponent}`;
  return rest.replace("MSH|", `MSH|${separators}|`);
}

/** A message of these lines; each ends with a carriage return. */
export const message = (segments: readonly string[]): string => segments.map((line) => `${line}\r`).join("");

/** An instant as HL7 writes it, in UTC. */
export const toHl7Time = (iso: string): string =>
  `${new Date(iso).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}+0000`;
