const LINK = /\{@link ([\w.#]+)(?: \| ([^}]+))?\}/g;
const TAG = /^\s*@(?:param|throws|returns|see|default)\s*(?:\{[^}]*\}\s*)?/;
const DESCRIPTION_START = /^\s*description: \[/;
const DESCRIPTION_END = /\],$/;

/**
 * The prose of a TypeScript source as Markdown: docstrings, comment lines and descriptions of operations at their own
 * lines, every other line empty, so that a finding names the line of the source. Examples are code and are left out.
 */
export function proseOfSource(source: string): string {
  const docstrings = new DocstringReader();
  let isDescription = false;
  const lines = source.split("\n").map((line) => {
    if (DESCRIPTION_START.test(line)) isDescription = true;
    if (!isDescription) return docstrings.read(line);
    if (DESCRIPTION_END.test(line)) isDescription = false;
    return sentencesIn(line);
  });
  return lines.join("\n");
}

/** The string literals of a line. */
const sentencesIn = (line: string) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join(" ");

/** Reads the prose of docstrings and comments line by line. */
class DocstringReader {
  #isInside = false;
  #isExample = false;

  read(line: string): string {
    if (!this.#isInside && /^\s*\/\*\*/.test(line)) [this.#isInside, this.#isExample] = [true, false];
    if (!this.#isInside) return /^\s*\/\/ (.*)$/.exec(line)?.[1] ?? "";
    const text = line.replace(/^\s*\/?\*+\/?\s?/, "").replace(/\s*\*\/\s*$/, "");
    if (/\*\/\s*$/.test(line)) this.#isInside = false;
    if (/^\s*@/.test(text)) this.#isExample = text.includes("@example");
    return this.#isExample ? "" : text.replace(TAG, "").replace(LINK, "`$1`");
  }
}
