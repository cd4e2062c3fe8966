import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Data files of the reader, by their paths in packages. A build copies them next to the code. */
const packagePaths = {
  "tesseract-core-simd-lstm.wasm": "tesseract.js-core/tesseract-core-simd-lstm.wasm",
  "eng.traineddata.gz": "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz",
} as const;

type ReaderFile = keyof typeof packagePaths;

/** The names of the data files. */
export const readerFileNames = Object.keys(packagePaths) as ReaderFile[];

/** The bundled script of the reader thread. */
export const READER_SCRIPT = "report-reader.mjs";

/** The path of a data file: next to the bundled code (shared chunks lie one folder deeper), else in its package. */
export function readerFilePath(name: ReaderFile): string {
  return findBesideCode(name) ?? createRequire(import.meta.url).resolve(packagePaths[name]);
}

/** The URL of the script of the reader thread. */
export function readerScriptUrl(): URL {
  const bundled = findBesideCode(READER_SCRIPT);
  return bundled === undefined ? new URL("./reader-thread.ts", import.meta.url) : pathToFileURL(bundled);
}

function findBesideCode(name: string): string | undefined {
  return [`./${name}`, `../${name}`]
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path));
}
