import type { ExportRecord } from "./export-record.ts";
import { createRandom, pick, type Random, wholeNumber } from "./random.ts";
import { drawBeats, recordMetadata } from "./record-metadata.ts";
import { createSource } from "./record-sources.ts";
import type { RecordSpec } from "./record-specs.ts";
import type { Timeline } from "./timeline.ts";
import { decimalText } from "./xml-text.ts";

/** Maximum delay of a start as a share of the distance between records, so that records stay in order and separate. */
const MAX_START_DELAY_SHARE = 0.3;
const MAX_SLOT_SHARE = 0.5;
const DAY_S = 86_400;
const VARIABILITY = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN";

/**
 * The `quota` records of one stream, spread evenly over the timeline, with strictly increasing starts. The same
 * arguments give the same records, so correlations repeat them without storage.
 */
export function* streamRecords(
  spec: RecordSpec,
  quota: number,
  timeline: Timeline,
  seed: string,
): Generator<ExportRecord> {
  const timeRandom = createRandom(`${seed} time ${spec.group}`);
  const valueRandom = createRandom(`${seed} value ${spec.type} ${spec.source}`);
  const longestMs = maxDurationMs(spec, quota, timeline.days);
  let previousMs = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < quota; index += 1) {
    const position = ((index + MAX_START_DELAY_SHARE * timeRandom()) / quota) * timeline.days;
    const startMs = Math.max(timeline.moment(withinHours(position, spec.hours)), previousMs + 1000);
    const durationMs = Math.floor((longestMs * (0.5 + 0.5 * timeRandom())) / 1000) * 1000;
    const createdMs = startMs + durationMs + wholeNumber(timeRandom, 1, 600) * 1000;
    previousMs = startMs;
    yield complete(spec, index / quota, { startMs, endMs: startMs + durationMs, createdMs }, valueRandom, timeline);
  }
}

type Times = Pick<ExportRecord, "startMs" | "endMs" | "createdMs">;

function complete(spec: RecordSpec, progress: number, times: Times, random: Random, timeline: Timeline): ExportRecord {
  const source = createSource(spec.source, progress, random);
  const { unit, value } = valueAt(spec, progress, timeline.days, random);
  const metadata = recordMetadata(spec.type, random, times.startMs, timeline);
  const beats = spec.type === VARIABILITY ? drawBeats(times.startMs, progress >= 0.5, random, timeline) : [];
  return { type: spec.type, source, ...times, unit, value, metadata, beats };
}

function valueAt(
  spec: RecordSpec,
  progress: number,
  days: number,
  random: Random,
): Pick<ExportRecord, "unit" | "value"> {
  if (spec.range === undefined) {
    return { unit: undefined, value: spec.choices.length === 0 ? undefined : pick(random, spec.choices) };
  }
  const { unit, factor, shift, decimals } = spec.units[Math.floor(progress * spec.units.length)]!;
  const [low, high] = spec.range;
  // Half of a value drifts over three weeks and half is noise, so that a weight changes realistically.
  const drift = (1 + Math.sin((progress * days * 2 * Math.PI) / 21)) / 2;
  const value = low + (high - low) * (drift + random()) * 0.5;
  return { unit, value: decimalText(value * factor + shift, decimals) };
}

/** Maps a position in the whole day to the type's hours of that day. */
function withinHours(position: number, [from, to]: [number, number]): number {
  const day = Math.floor(position);
  return day + (from + (position - day) * (to - from)) / 24;
}

function maxDurationMs(spec: RecordSpec, quota: number, days: number): number {
  const [from, to] = spec.hours;
  const slotS = (DAY_S * days * ((to - from) / 24)) / quota;
  // Fewer than one record a day leave whole days between records, whatever their hours.
  const roomS = quota < days ? DAY_S : slotS;
  return Math.min(spec.durationS, roomS * MAX_SLOT_SHARE) * 1000;
}
