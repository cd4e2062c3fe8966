import { SourceMap } from "node:module";
import { relative, resolve } from "node:path";
import { mapFunctionFile } from "./function-files.ts";

/** A frame of a stack in a function's module: line and column. */
const FRAME = /[^\s(]*index\.mjs:(\d+):(\d+)/g;

/**
 * Replaces the places in a function's module by places in the sources. Assets contain no source maps, so this bundles
 * the function again: check out the deployed commit first.
 * @param text lines of a log.
 */
export async function symbolize(operationId: string, text: string): Promise<string> {
  const map = new SourceMap(JSON.parse(await mapFunctionFile(operationId)));
  return text.replaceAll(FRAME, (place, line, column) => {
    const found = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in found)) return place;
    const source = relative(process.cwd(), resolve("dist", found.originalSource));
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}
