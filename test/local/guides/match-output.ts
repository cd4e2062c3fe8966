/** Stands for any text in an expected output. */
const WILDCARD = "…";

/** An expected output as a regular expression. White space between words counts as one space; in JSON it does not count. */
function toPattern(expected: string, isJson: boolean): string {
  const escapeText = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return normalize(expected, isJson).split(WILDCARD).map(escapeText).join("[\\s\\S]*?");
}

const normalize = (text: string, isJson: boolean) =>
  isJson ? text.replaceAll(/\s+/g, "") : text.trim().replaceAll(/[ \t\r]*\n/g, "\n");

/** Whether an output equals the expected one, in which `…` stands for any text. */
export function matchesOutput(actual: string, expected: string, isJson: boolean): boolean {
  return new RegExp(`^${toPattern(expected, isJson)}$`).test(normalize(actual, isJson));
}

/** Finds an expected output. @returns the position behind its first occurrence; undefined when it does not occur. */
export function findOutput(actual: string, expected: string): number | undefined {
  const found = new RegExp(`^${toPattern(expected, false)}$`, "m").exec(actual);
  return found ? found.index + found[0].length : undefined;
}
