import { posix } from "node:path";

/** The files that each file imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Specifier of a relative import or re-export, of values or types, static or dynamic. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Builds the graph of the imports among files. @param sources text of each file, by its path. */
export function buildImportGraph(sources: ReadonlyMap<string, string>): ImportGraph {
  const importsOf = (file: string, text: string) =>
    [...text.matchAll(SPECIFIER)]
      .map(([, specifier = ""]) => posix.join(posix.dirname(file), specifier))
      .filter((imported) => sources.has(imported));
  return new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
}

/** Lists the files that import one of the given files directly, without the given files. */
export function listImporters(graph: ImportGraph, files: ReadonlySet<string>): string[] {
  return [...graph].flatMap(([file, imported]) =>
    !files.has(file) && imported.some((one) => files.has(one)) ? [file] : [],
  );
}
