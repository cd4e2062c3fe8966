import { toFitStream } from "./fit-stream.ts";

/** The stream of a FIT file, if it has one, and its sessions, which sum up a workout each. */
export interface FitFile {
  readonly stream: ReturnType<typeof toFitStream>;
  readonly sessions: readonly Readonly<Record<string, unknown>>[];
}

/** Reads a FIT file; empty for an unreadable file. Metres, m/s and seconds. */
export async function readFitFile(file: ArrayBuffer): Promise<FitFile> {
  // Loaded on demand: the parser is large, and few functions need it.
  const { default: FitParser } = await import("fit-file-parser");
  const parser = new FitParser({ force: false, mode: "list", lengthUnit: "m", speedUnit: "m/s" });
  const parsed = await parser.parseAsync(file).catch(() => undefined);
  const sessions: readonly object[] = parsed?.sessions ?? [];
  return { stream: toFitStream(parsed?.records ?? []), sessions: sessions.map((one) => ({ ...one })) };
}
