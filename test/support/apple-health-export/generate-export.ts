import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { archiveStream } from "./archive.ts";
import { documentPieces } from "./document.ts";
import { planExport } from "./export-plan.ts";
import { type ExportTruth, emptyTruth, openTruthFile } from "./export-truth.ts";
import { createTimeline } from "./timeline.ts";

export {
  type ExportTruth,
  sampleHash,
  type TruthSample,
} from "./export-truth.ts";

/** Options of an export. The same options give the same export.xml, byte for byte. */
export type ExportOptions = {
  path: string;
  /** Top-level records, at least 100; about 420 bytes each, so 2.4 million make a gigabyte. */
  records: number;
  seed: number;
  /** Length of the timeline; by default as needed for 2,000 records a day, at least 30. */
  days?: number;
  /** The last local day, `YYYY-MM-DD`. */
  endDate: string;
  /** Write export.zip with its side files instead of export.xml alone. */
  zip?: boolean;
  /** Keep every sample in the returned truth; memory then grows with the file. */
  keepTruth?: boolean;
  /** Write every sample as a JSON line to `<path>.truth.jsonl`; memory stays constant. */
  writeTruth?: boolean;
  onProgress?: (records: number) => void;
};

/**
 * Writes a synthetic export in the format of the iPhone's Health app ("Export All Health Data", format version 14).
 * Streams in constant memory.
 * @returns the truth about the export.
 * @throws RangeError for impossible numbers of records or days.
 */
export async function generateExport(options: ExportOptions): Promise<ExportTruth> {
  const plan = planExport(options.records, options.days);
  const timeline = createTimeline(options.endDate, plan.days);
  const seed = String(options.seed);
  const truth = emptyTruth(options.keepTruth ?? false);
  const lines = options.writeTruth ? openTruthFile(`${options.path}.truth.jsonl`) : undefined;
  const pieces = documentPieces({ plan, timeline, seed, truth, onSample: (type, sample) => lines?.add(type, sample) });
  const xml = Readable.from(joinChunks(pieces, truth, options.onProgress), { objectMode: false });
  const bytes = options.zip ? archiveStream(xml, timeline, seed) : xml;
  try {
    await pipeline(bytes, createWriteStream(options.path));
  } finally {
    lines?.close();
  }
  return truth;
}

const CHUNK_CHARACTERS = 131_072;

/** Joins the pieces to chunks for writing, and counts their bytes. */
function* joinChunks(
  pieces: Iterable<string>,
  truth: ExportTruth,
  onProgress: ExportOptions["onProgress"],
): Generator<Buffer> {
  let waiting = "";
  const take = (): Buffer => {
    const chunk = Buffer.from(waiting);
    waiting = "";
    truth.xmlBytes += chunk.length;
    onProgress?.(truth.records);
    return chunk;
  };
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length > CHUNK_CHARACTERS) yield take();
  }
  yield take();
}

const USAGE = "--records <number> --seed <number> --out <file.xml|file.zip> [--days <number>] [--end <date>] [--truth]";

async function runCommand(): Promise<void> {
  const text = { type: "string" } as const;
  const truthFlag = { type: "boolean" } as const;
  const { values } = parseArgs({
    options: { records: text, seed: text, out: text, days: text, end: text, truth: truthFlag },
  });
  if (values.records === undefined || values.out === undefined) throw new Error(`usage: ${USAGE}`);
  const records = Number(values.records);
  const startedMs = performance.now();
  const truth = await generateExport({
    path: values.out,
    records,
    seed: Number(values.seed ?? 1),
    ...(values.days === undefined ? {} : { days: Number(values.days) }),
    endDate: values.end ?? "2024-06-30",
    zip: values.out.endsWith(".zip"),
    writeTruth: values.truth ?? false,
    onProgress: createProgressPrinter(records),
  });
  printFigures(truth, (performance.now() - startedMs) / 1000);
}

/** Prints a line at every tenth of the records. */
function createProgressPrinter(records: number): (written: number) => void {
  let printed = 0;
  return (written) => {
    const tenths = Math.floor((written * 10) / records);
    if (tenths > printed) console.log(`${tenths * 10} %  ${written} records`);
    printed = tenths;
  };
}

function printFigures(truth: ExportTruth, seconds: number): void {
  const megabytes = truth.xmlBytes / 1e6;
  const peakMegabytes = process.resourceUsage().maxRSS / 1000;
  console.log(`${truth.records} records of ${Object.keys(truth.counts).length} types, ${truth.workouts} workouts`);
  console.log(
    `export.xml ${megabytes.toFixed(1)} MB in ${seconds.toFixed(1)} s, peak memory ${peakMegabytes.toFixed(0)} MB`,
  );
  console.log(`${Math.round(truth.records / seconds)} records/s, ${(megabytes / seconds).toFixed(1)} MB/s`);
}

if (import.meta.main) await runCommand();
