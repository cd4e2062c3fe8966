import { closeSync, openSync, writeSync } from "node:fs";
import { hashText } from "./apple-health-export-generator-random.ts";
import type { ExportRecord } from "./apple-health-export-generator-record.ts";
import type { SourceKind } from "./apple-health-export-generator-sources.ts";
import type { UnusualKind } from "./apple-health-export-generator-unusual.ts";

/** One top-level record as a correct reader must see it. `value` and `unit` are as in the file, null when absent. */
export type TruthSample = {
  start: number;
  end: number;
  value: string | null;
  unit: string | null;
  /** Seconds east of UTC in the record's startDate. */
  offsetS: number;
  source: SourceKind;
};

/** One workout as written; distance and energy in the units of the file (km, Cal), null for an indoor workout. */
export type TruthWorkout = {
  activityType: string;
  start: number;
  end: number;
  offsetS: number;
  durationMin: number;
  distanceKm: number | null;
  energyCal: number;
};

/** What a written export holds. Everything but `samples` and `workoutList` has a size independent of the file's. */
export type ExportTruth = {
  /** Top-level `<Record>` elements, unusual ones included. */
  records: number;
  /** Records inside `<Correlation>`: the same ones once more. */
  nestedRecords: number;
  correlations: number;
  workouts: number;
  activitySummaries: number;
  /** Bytes of export.xml, uncompressed. */
  xmlBytes: number;
  counts: Record<string, number>;
  /** Sum of the values of a type in whatever unit each has; seconds from start to end where values are no numbers. */
  sums: Record<string, number>;
  /** Per type the sum modulo 2^32 of `sampleHash` over its samples: equal in any order of reading. */
  checksums: Record<string, number>;
  /** Where the odd records are, in the order of the file; each is counted like any other. */
  unusual: { kind: UnusualKind; type: string; start: number }[];
  /** By type in file order, only with `keepTruth`. */
  samples?: Record<string, TruthSample[]>;
  /** In file order, only with `keepTruth`. */
  workoutList?: TruthWorkout[];
};

/** The truth before anything was written; `keep` makes room for every sample. */
export function emptyTruth(keep: boolean): ExportTruth {
  const figures = { records: 0, nestedRecords: 0, correlations: 0, workouts: 0, activitySummaries: 0, xmlBytes: 0 };
  const truth: ExportTruth = { ...figures, counts: {}, sums: {}, checksums: {}, unusual: [] };
  return keep ? { ...truth, samples: {}, workoutList: [] } : truth;
}

/** Enters a top-level record into the truth and gives the sample entered. */
export function addToTruth(truth: ExportTruth, record: ExportRecord, offsetS: number): TruthSample {
  const { type, startMs: start, endMs: end, source } = record;
  const sample = { start, end, value: record.value ?? null, unit: record.unit ?? null, offsetS, source: source.kind };
  const number = sample.value === null || sample.value === "" ? Number.NaN : Number(sample.value);
  truth.records += 1;
  truth.counts[type] = (truth.counts[type] ?? 0) + 1;
  truth.sums[type] = (truth.sums[type] ?? 0) + (Number.isNaN(number) ? (end - start) / 1000 : number);
  truth.checksums[type] = ((truth.checksums[type] ?? 0) + sampleHash(sample)) >>> 0;
  if (truth.samples !== undefined) {
    const samples = truth.samples[type] ?? [];
    samples.push(sample);
    truth.samples[type] = samples;
  }
  return sample;
}

/** 32-bit hash of all fields of a sample, for comparing big files by `checksums`. */
export function sampleHash({ start, end, value, unit, offsetS, source }: TruthSample): number {
  return hashText(`${start}|${end}|${value ?? ""}|${unit ?? ""}|${offsetS}|${source}`);
}

const BUFFER_CHARACTERS = 65_536;

/** A file of JSON lines, one `{type, ...sample}` each, written as it grows so that memory stays flat. */
export function openTruthLines(path: string): { add(type: string, sample: TruthSample): void; close(): void } {
  const file = openSync(path, "w");
  let waiting = "";
  const flush = () => {
    writeSync(file, waiting);
    waiting = "";
  };
  return {
    add: (type, sample) => {
      waiting += `${JSON.stringify({ type, ...sample })}\n`;
      if (waiting.length > BUFFER_CHARACTERS) flush();
    },
    close: () => {
      flush();
      closeSync(file);
    },
  };
}
