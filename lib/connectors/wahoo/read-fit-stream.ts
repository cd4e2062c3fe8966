import { toFitStream } from "../fit-stream.ts";

/** Reads the stream of a workout from its FIT file; undefined for an unreadable file. */
export async function readFitStream(file: ArrayBuffer) {
  // Loaded on demand: the parser is large, and few functions need it.
  const { default: FitParser } = await import("fit-file-parser");
  const parser = new FitParser({ force: false, mode: "list", lengthUnit: "m", speedUnit: "m/s" });
  const parsed = await parser.parseAsync(file).catch(() => undefined);
  return toFitStream(parsed?.records ?? []);
}
