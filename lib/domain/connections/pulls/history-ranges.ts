import * as z from "zod";
import type { SampleBatch } from "../../ingest/batch.ts";
import type { Rejection } from "../../ingest/rejection.ts";
import { findSummaryKind } from "../../summaries/summary-kinds.ts";
import { hasEvents } from "../../summaries/summary-names.ts";
import { findResource } from "../../timeseries/resources.ts";
import { sourceType } from "../sources/source.ts";

/** Time range of the data of a resource, ISO 8601. */
const range = z.object({ start_date: z.string(), end_date: z.string() });
/** Time ranges of a history by event name of the resource. */
export const historyRanges = z.record(z.string(), range);
export type HistoryRanges = z.output<typeof historyRanges>;

/** Both ends of the range of records without a time, such as profiles and devices. Stored data has it as an instant. */
export const UNDATED = new Date(0).toISOString();

/** Completely delivered history. Its event follows once its last batch is stored. */
export const completedHistory = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  source_type: sourceType,
  /** Identifies a history of a user; each history has one completion event. */
  history_id: z.string(),
  /** Time of receipt of the last batch, epoch milliseconds. */
  received_at: z.number(),
  ranges: historyRanges,
});
export type CompletedHistory = z.output<typeof completedHistory>;

/** Part of a phone's synchronisation: its response without the words of its rejections, and the ranges of its data. */
export interface SyncPart {
  readonly answer: {
    readonly receipt_id: string;
    readonly accepted: number;
    readonly rejected: readonly Rejection[];
  };
  readonly ranges: HistoryRanges;
}

/** Time ranges of a batch, for each resource with events. */
export function batchRanges({ samples, summaries }: SampleBatch): HistoryRanges {
  const ofSummaries = Object.entries(summaries).flatMap(([name, all]) => {
    const kind = findSummaryKind(name);
    const begin = kind?.days?.begin;
    if (!kind || !hasEvents(kind.name)) return [];
    const instants = begin ? all.map(({ fields }) => Date.parse(String(fields[begin]))) : [];
    return [[name, instantsRange(instants.filter((ms) => !Number.isNaN(ms)))] as const];
  });
  return { ...sampleRanges(samples), ...Object.fromEntries(ofSummaries) };
}

/** Time ranges of samples by resource, from their starts. */
export function sampleRanges(samples: SampleBatch["samples"]): HistoryRanges {
  const ranges = Object.entries(samples).flatMap(([name, all]) => {
    const eventName = findResource(name)?.eventName;
    return eventName ? [[eventName, instantsRange(all.map(({ start }) => start))] as const] : [];
  });
  return Object.fromEntries(ranges);
}

/** Days (UTC) with data in a batch. */
export function batchDays({ samples, summaries }: SampleBatch): string[] {
  const ofSamples = Object.values(samples).flatMap((all) => all.map(({ start }) => start));
  const ofSummaries = Object.entries(summaries).flatMap(([name, all]) => {
    const begin = findSummaryKind(name)?.days?.begin;
    return begin ? all.map(({ fields }) => Date.parse(String(fields[begin]))) : [];
  });
  const instants = [...ofSamples, ...ofSummaries].filter((ms) => Number.isFinite(ms));
  return [...new Set(instants.map((ms) => new Date(ms).toISOString().slice(0, 10)))];
}

/** The range of some instants, epoch ms; {@link UNDATED} for none. */
export function instantsRange(instants: readonly number[]): z.output<typeof range> {
  if (instants.length === 0) return { start_date: UNDATED, end_date: UNDATED };
  const [low, high] = instants.reduce(
    ([least, most], ms) => [Math.min(least, ms), Math.max(most, ms)],
    [Infinity, -Infinity],
  );
  return { start_date: new Date(low).toISOString(), end_date: new Date(high).toISOString() };
}

/** Gives records without a time the range in which they were requested or received. */
export const fillUndated = (ranges: HistoryRanges, given: z.output<typeof range>): HistoryRanges =>
  Object.fromEntries(
    Object.entries(ranges).map(([name, own]) => [name, own.start_date === UNDATED ? given : own] as const),
  );

/** Merges the time ranges of several batches. */
export function mergeRanges(all: readonly HistoryRanges[]): HistoryRanges {
  const joined: HistoryRanges = {};
  for (const [name, { start_date, end_date }] of all.flatMap((ranges) => Object.entries(ranges))) {
    const known = joined[name] ?? { start_date, end_date };
    const [first = start_date] = [known.start_date, start_date].toSorted();
    const [, last = end_date] = [known.end_date, end_date].toSorted();
    joined[name] = { start_date: first, end_date: last };
  }
  return joined;
}
