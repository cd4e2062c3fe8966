import { closeSync, openSync, writeSync } from "node:fs";
import type { ExportRecord } from "./export-record.ts";
import { hashText } from "./random.ts";
import type { SourceKind } from "./record-sources.ts";
import type { UnusualKind } from "./unusual-records.ts";

/** One top-level record as a correct reader must read it. `value` and `unit` are as in the file, null if absent. */
export type TruthSample = {
  start: number;
  end: number;
  value: string | null;
  unit: string | null;
  /** Seconds east of UTC in the record's startDate. */
  offsetS: number;
  source: SourceKind;
};

/** One workout as written; distance and energy in the file's units (km, Cal), null for an indoor workout. */
export type TruthWorkout = {
  activityType: string;
  start: number;
  end: number;
  offsetS: number;
  durationMin: number;
  distanceKm: number | null;
  energyCal: number;
};

/** The contents of a written export. Only `samples` and `workoutList` grow with the file. */
export type ExportTruth = {
  /** Top-level `<Record>` elements, including unusual ones. */
  records: number;
  /** Records inside `<Correlation>`: the same records again. */
  nestedRecords: number;
  correlations: number;
  workouts: number;
  activitySummaries: number;
  /** Bytes of export.xml, uncompressed. */
  xmlBytes: number;
  counts: Record<string, number>;
  /** Sum of a type's values in whatever unit each has; seconds from start to end for values that are not numbers. */
  sums: Record<string, number>;
  /** Sum modulo 2^32 of `sampleHash` over a type's samples: independent of the reading order. */
  checksums: Record<string, number>;
  /** Unusual records in file order; they count like any other. */
  unusual: { kind: UnusualKind; type: string; start: number }[];
  /** By type in file order; only with `keepTruth`. */
  samples?: Record<string, TruthSample[]>;
  /** In file order; only with `keepTruth`. */
  workoutList?: TruthWorkout[];
};

/** The truth before writing; `keep` allocates lists for every sample. */
export function emptyTruth(keep: boolean): ExportTruth {
  const figures = { records: 0, nestedRecords: 0, correlations: 0, workouts: 0, activitySummaries: 0, xmlBytes: 0 };
  const truth: ExportTruth = { ...figures, counts: {}, sums: {}, checksums: {}, unusual: [] };
  return keep ? { ...truth, samples: {}, workoutList: [] } : truth;
}

/** Adds a top-level record to the truth. @returns the added sample. */
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

/** Opens a file of JSON lines, one `{type, ...sample}` each. Writes incrementally, so memory stays constant. */
export function openTruthFile(path: string): { add(type: string, sample: TruthSample): void; close(): void } {
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
