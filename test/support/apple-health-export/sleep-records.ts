import type { ExportRecord } from "./export-record.ts";
import { createRandom, type Random, wholeNumber } from "./random.ts";
import { recordMetadata } from "./record-metadata.ts";
import { createSource, type SourceName } from "./record-sources.ts";
import type { Timeline } from "./timeline.ts";

/** The HealthKit type of sleep records. */
const SLEEP_TYPE = "HKCategoryTypeIdentifierSleepAnalysis";

/** A night contains time in bed and at least one of each stage. */
export const MIN_RECORDS_PER_NIGHT = 6;

const STAGES = ["AsleepCore", "AsleepDeep", "AsleepCore", "AsleepREM", "Awake"];
const HOUR_MS = 3_600_000;

/** The days with a recorded night: about seven of eight, or fewer if `quota` is too small. */
function recordedNights(quota: number, days: number, seed: string): number[] {
  const random = createRandom(`${seed} nights`);
  const nights = Array.from({ length: days }, (_, day) => day).filter((day) => day === 0 || random() < 7 / 8);
  return nights.slice(0, Math.floor(quota / MIN_RECORDS_PER_NIGHT));
}

/**
 * `quota` sleep records (at least six). Each recorded night has the phone's time in bed, then the watch's contiguous
 * stages.
 */
export function* sleepRecords(quota: number, timeline: Timeline, seed: string): Generator<ExportRecord> {
  const nights = recordedNights(quota, timeline.days, seed);
  const random = createRandom(`${seed} sleep`);
  let written = 0;
  for (const [index, day] of nights.entries()) {
    const due = Math.floor(((index + 1) * quota) / nights.length);
    yield* night(day, due - written, timeline, random);
    written = due;
  }
}

function* night(day: number, size: number, timeline: Timeline, random: Random): Generator<ExportRecord> {
  const progress = day / timeline.days;
  const bedMs = timeline.dayStart(day) - HOUR_MS + wholeNumber(random, 0, 5400) * 1000;
  const lengthS = wholeNumber(random, 6.5 * 3600, 8 * 3600);
  const riseMs = bedMs + lengthS * 1000;
  const createdMs = riseMs + 60_000;
  const make = (name: SourceName, stage: string, startMs: number, endMs: number): ExportRecord => ({
    type: SLEEP_TYPE,
    source: createSource(name, progress, random),
    startMs,
    endMs,
    createdMs,
    unit: undefined,
    value: `HKCategoryValueSleepAnalysis${stage}`,
    metadata: recordMetadata(SLEEP_TYPE, random, startMs, timeline),
    beats: [],
  });
  yield make("phone", "InBed", bedMs, riseMs);
  const stages = size - 1;
  const borders = Array.from(
    { length: stages + 1 },
    (_, index) => bedMs + stageStartS(index, stages, lengthS, random) * 1000,
  );
  for (let index = 0; index < stages; index += 1) {
    yield make("watch", STAGES[index % STAGES.length]!, borders[index]!, borders[index + 1]!);
  }
}

/** Seconds after bedtime at which stage `index` starts; irregular but increasing. */
function stageStartS(index: number, stages: number, lengthS: number, random: Random): number {
  const inner = index > 0 && index < stages;
  return Math.floor(((index + (inner ? 0.6 * random() : 0)) / stages) * lengthS);
}
