/**
 * Characters that people do not see but models read: controls, marks of direction and zero width, and tags, with which
 * a text can hide an instruction (Unicode, general categories Cc, Cf, Zl and Zp).
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const toEscapes = (character: string) =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16).padStart(4, "0"))
    .map((code) => `\\u${code}`)
    .join("");

/** Writes a value as JSON in which every character is visible: invisible ones are escaped, and parse to themselves. */
export const toVisibleJson = (value: unknown): string => JSON.stringify(value).replace(INVISIBLE, toEscapes);
