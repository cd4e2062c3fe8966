import { formatInstant } from "../../../domain/shared/instant.ts";
import { type OutgoingRecord, type RecordSource, sourceKey, stableId } from "../mapping-outcome.ts";
import type { Element } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { readSource, sourceName } from "./record-source.ts";
import { type AppleSleepStage, readSleepStage } from "./sleep-stage.ts";

/** One sleep record. */
interface AppleSleepSegment {
  readonly startMs: number;
  readonly endMs: number;
  readonly stage: AppleSleepStage;
  /** Offset from UTC, seconds. */
  readonly offsetS: number;
}

interface Sleeper {
  readonly name: string;
  readonly source: RecordSource;
  readonly segments: AppleSleepSegment[];
}

/** A longer gap ends a sleep period. */
const MAX_GAP_MS = 60 * 60_000;

/**
 * Collects sleep records, which the export does not sort, and summarizes each sleep period. Uses about 100 bytes of
 * memory per record: a few megabytes for ten years of nights, independent of the size of the export.
 */
export class SleepPeriods {
  readonly #sources = new Map<string, Sleeper>();

  /** Adds a record; ignores a record without stage, valid dates or length. */
  add(record: Element): void {
    const stage = readSleepStage(record);
    const span = readInterval(record);
    if (!stage || !span || span.end.ms <= span.start.ms) return;
    const name = sourceName(record);
    const source = readSource(record);
    const id = `${sourceKey(source)} ${name}`;
    const sleeper = this.#sources.get(id) ?? { name, source, segments: [] };
    this.#sources.set(id, sleeper);
    sleeper.segments.push({ startMs: span.start.ms, endMs: span.end.ms, stage, offsetS: span.offsetS });
  }

  /** A sleep summary for each period with at least one record of sleep. */
  *summaries(): Generator<OutgoingRecord> {
    for (const { name, source, segments } of this.#sources.values()) {
      for (const period of splitAtGaps(segments)) {
        const content = summarize(period, name);
        if (content) yield { resource: "sleep", source, key: content.bedtime_start, content };
      }
    }
  }
}

/** Sorts segments by start and splits them at gaps longer than {@link MAX_GAP_MS}. */
function splitAtGaps(segments: AppleSleepSegment[]): AppleSleepSegment[][] {
  const periods: AppleSleepSegment[][] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const segment of segments.sort((a, b) => a.startMs - b.startMs)) {
    if (segment.startMs - endMs > MAX_GAP_MS) periods.push([]);
    periods.at(-1)?.push(segment);
    endMs = Math.max(endMs, segment.endMs);
  }
  return periods;
}

function summarize(period: readonly AppleSleepSegment[], source: string) {
  const secondsOf = (...stages: AppleSleepStage[]) =>
    coveredSeconds(period.filter(({ stage }) => stages.includes(stage)));
  const asleep = period.filter(({ stage }) => stage !== "in_bed" && stage !== "awake");
  const [first] = period;
  const [firstAsleep] = asleep;
  if (!first || !firstAsleep) return undefined;
  const startMs = first.startMs;
  const endMs = Math.max(...period.map((segment) => segment.endMs));
  const total = coveredSeconds(asleep);
  return {
    bedtime_start: formatInstant(startMs),
    bedtime_stop: formatInstant(endMs),
    timezone_offset: first.offsetS,
    awake: secondsOf("awake"),
    light: secondsOf("light"),
    rem: secondsOf("rem"),
    deep: secondsOf("deep"),
    total,
    efficiency: Math.round((1_000_000 * total) / (endMs - startMs)) / 10,
    latency: firstAsleep === first ? null : (firstAsleep.startMs - startMs) / 1000,
    provider_id: stableId("sleep", source, startMs),
  };
}

/** Seconds covered by sorted segments. Counts overlaps once: sources write some segments twice. */
function coveredSeconds(segments: readonly AppleSleepSegment[]): number {
  let covered = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of segments) {
    covered += Math.max(0, endMs - Math.max(startMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return covered / 1000;
}
