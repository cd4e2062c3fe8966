import * as z from "zod";
import type { SampleBatch } from "../batch.ts";
import { wireAcceptance } from "../receipt.ts";
import { sourceType } from "../sources/source.ts";
import { findSummaryKind } from "../summaries/summary-kinds.ts";
import { hasEvents } from "../summaries/summary-names.ts";
import { findResource } from "../timeseries/resources.ts";

/** From when to when there is data of a resource, ISO 8601. */
const range = z.object({ start_date: z.string(), end_date: z.string() });
/** What a history brings, by the names that events have for it. */
export const historyRanges = z.record(z.string(), range);
export type HistoryRanges = z.output<typeof historyRanges>;

/** A history that was delivered whole, waiting to be told of until its last batch is stored. */
export const historyEnd = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  source_type: sourceType,
  /** What tells histories of a user apart; the end of one is told once. */
  history_id: z.string(),
  /** When the last of its batches was received, epoch milliseconds. */
  received_at: z.number(),
  ranges: historyRanges,
});
export type HistoryEnd = z.output<typeof historyEnd>;

/** A part of what a phone synchronises, as kept: what it was answered, and what it brought. */
export const syncPart = z.object({ answer: wireAcceptance, ranges: historyRanges });
export type SyncPart = z.output<typeof syncPart>;

/** What a batch brings of each resource that has events. */
export function rangesOf({ samples, summaries }: SampleBatch): HistoryRanges {
  const ofSamples = Object.entries(samples).flatMap(([name, all]) => {
    const eventName = findResource(name)?.eventName;
    return eventName ? [[eventName, spanOf(all.map(({ start }) => start))] as const] : [];
  });
  const ofSummaries = Object.entries(summaries).flatMap(([name, all]) => {
    const kind = findSummaryKind(name);
    const begin = kind?.days?.begin;
    if (!kind || !hasEvents(kind.name)) return [];
    const instants = begin ? all.map(({ fields }) => Date.parse(String(fields[begin]))) : [];
    return [[name, spanOf(instants.filter((ms) => !Number.isNaN(ms)))] as const];
  });
  return Object.fromEntries([...ofSamples, ...ofSummaries]);
}

/** The days (UTC) that a batch brings something of. */
export function daysOf({ samples, summaries }: SampleBatch): string[] {
  const ofSamples = Object.values(samples).flatMap((all) => all.map(({ start }) => start));
  const ofSummaries = Object.entries(summaries).flatMap(([name, all]) => {
    const begin = findSummaryKind(name)?.days?.begin;
    return begin ? all.map(({ fields }) => Date.parse(String(fields[begin]))) : [];
  });
  const instants = [...ofSamples, ...ofSummaries].filter((ms) => Number.isFinite(ms));
  return [...new Set(instants.map((ms) => new Date(ms).toISOString().slice(0, 10)))];
}

function spanOf(instants: readonly number[]): z.output<typeof range> {
  const [low, high] = instants.reduce(
    ([least, most], ms) => [Math.min(least, ms), Math.max(most, ms)],
    [Infinity, -Infinity],
  );
  const iso = (ms: number | undefined) => new Date(Number.isFinite(ms) ? (ms ?? 0) : 0).toISOString();
  return { start_date: iso(low), end_date: iso(high) };
}

/** What several batches bring together. */
export function joinRanges(all: readonly HistoryRanges[]): HistoryRanges {
  const joined: HistoryRanges = {};
  for (const [name, { start_date, end_date }] of all.flatMap((ranges) => Object.entries(ranges))) {
    const known = joined[name] ?? { start_date, end_date };
    const [first = start_date] = [known.start_date, start_date].toSorted();
    const [, last = end_date] = [known.end_date, end_date].toSorted();
    joined[name] = { start_date: first, end_date: last };
  }
  return joined;
}
