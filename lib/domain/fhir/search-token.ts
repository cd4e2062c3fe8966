import type { Coding } from "./resources.ts";

/** A token of a search: a code of any system, of one system, or any code of one system. */
export interface Token {
  /** Absent for any system; empty for codes without a system. */
  readonly system?: string;
  /** Absent for any code of the system. */
  readonly code?: string;
}

/** Splits at a separator that no backslash escapes (FHIR R4, section 3.1.1.4.1.1). */
const splitAt = (text: string, separator: "," | "|") => text.split(separator === "," ? /(?<!\\),/ : /(?<!\\)\|/);
const withoutEscapes = (text: string) => text.replaceAll(/\\([,|$\\])/g, "$1");

/** Parses the alternatives of a token parameter. @returns undefined for an invalid one. */
export function parseTokens(text: string): Token[] | undefined {
  const tokens = splitAt(text, ",").map(parseToken);
  return tokens.every((token) => token !== undefined) ? tokens : undefined;
}

function parseToken(text: string): Token | undefined {
  const [first = "", second, ...more] = splitAt(text, "|").map(withoutEscapes);
  if (more.length > 0) return undefined;
  if (second === undefined) return first === "" ? undefined : { code: first };
  if (second !== "") return { system: first, code: second };
  return first === "" ? undefined : { system: first };
}

/** Whether one of the codings is one of the tokens. */
export const matchesTokens = (tokens: readonly Token[], codings: readonly Coding[]): boolean =>
  tokens.some(({ system, code }) =>
    codings.some(
      (coding) => (system === undefined || coding.system === system) && (code === undefined || coding.code === code),
    ),
  );
