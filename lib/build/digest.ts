import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";

/** Number of hexadecimal digits of a digest in a file name. */
const DIGITS = 20;

/**
 * A digest of files and of further texts. It also covers the version of Node.
 * @param patterns globs below the project.
 */
export function digestSources(patterns: readonly string[], ...texts: readonly string[]): string {
  const hash = createHash("sha256").update(process.version);
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  for (const file of patterns.flatMap((pattern) => globSync(pattern)).sort()) {
    const content = readFileSync(file);
    hash.update(`${file} ${content.length}:`).update(content);
  }
  return hash.digest("hex").slice(0, DIGITS);
}
