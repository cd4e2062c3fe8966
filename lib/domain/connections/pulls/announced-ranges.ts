import type { SampleBatch } from "../../ingest/batch.ts";
import { utcMidnightMs } from "../../ingest/ingestion-bounds.ts";
import { dayToDate } from "../../shared/local-day.ts";
import { activity } from "../../summaries/activity.ts";
import { movementDays } from "../../summaries/derive-daily-activity.ts";
import { workoutStream } from "../../summaries/streams/workout-stream.ts";
import { findSummaryDay } from "../../summaries/summary-kind.ts";
import { findSummaryKind } from "../../summaries/summary-kinds.ts";
import { hasEvents } from "../../summaries/summary-names.ts";
import { type HistoryRanges, instantsRange, mergeRanges, sampleRanges } from "./history-ranges.ts";

/**
 * The resources that a batch of a history delivers, with the ranges that their events state. Summaries count by their
 * day, by which reads select them. Days with movement have an activity: of the source, or derived.
 * @param timeZone the user's time zone, for samples without an offset.
 */
export function announcedRanges(batch: SampleBatch, timeZone: string): HistoryRanges {
  const activeDays = [...movementDays(batch.samples, timeZone)].map((day) => utcMidnightMs(dayToDate(day)));
  const streams = batch.streams[workoutStream.name] ?? [];
  return mergeRanges([
    sampleRanges(withoutDeletions(batch.samples)),
    summaryRanges(batch),
    activeDays.length > 0 ? { [activity.name]: instantsRange(activeDays) } : {},
    streams.length > 0
      ? { [workoutStream.name]: instantsRange(streams.flatMap(({ startMs, endMs }) => [startMs, endMs])) }
      : {},
  ]);
}

/** The samples of a history: a deletion is no data. */
function withoutDeletions(samples: SampleBatch["samples"]): SampleBatch["samples"] {
  const kept = Object.entries(samples).map(([name, all]) => [name, all.filter(({ isDeleted }) => !isDeleted)] as const);
  return Object.fromEntries(kept.filter(([, all]) => all.length > 0));
}

function summaryRanges({ summaries }: SampleBatch): HistoryRanges {
  const ranges = Object.entries(summaries).flatMap(([name, all]) => {
    const kind = findSummaryKind(name);
    if (!kind || !hasEvents(kind.name) || all.length === 0) return [];
    const days = all.flatMap((summary) => findSummaryDay(kind, summary) ?? []);
    return [[name, instantsRange(days.map(utcMidnightMs).filter((ms) => !Number.isNaN(ms)))] as const];
  });
  return Object.fromEntries(ranges);
}
