const LINK = /\{@link ([\w.#]+)(?: \| ([^}]+))?\}/g;
const TAG = /^\s*@(?:param|throws|returns|see|default)\s*(?:\{[^}]*\}\s*)?/;

/**
 * The prose of a TypeScript source as Markdown: docstrings and comment lines at their own lines, every other line empty,
 * so that a finding names the line of the source. Examples are code and are left out.
 */
export function docstringsOf(source: string): string {
  let isInside = false;
  let isExample = false;
  const lines = source.split("\n").map((line) => {
    if (!isInside && /^\s*\/\*\*/.test(line)) [isInside, isExample] = [true, false];
    if (!isInside) return /^\s*\/\/ (.*)$/.exec(line)?.[1] ?? "";
    const text = line.replace(/^\s*\/?\*+\/?\s?/, "").replace(/\s*\*\/\s*$/, "");
    if (/\*\/\s*$/.test(line)) isInside = false;
    if (/^\s*@/.test(text)) isExample = text.includes("@example");
    return isExample ? "" : text.replace(TAG, "").replace(LINK, "`$1`");
  });
  return lines.join("\n");
}
