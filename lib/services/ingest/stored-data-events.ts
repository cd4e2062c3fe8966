import { type SummaryKind, toWireSummary } from "../../domain/summaries/summary-kind.ts";
import { hasEvents } from "../../domain/summaries/summary-names.ts";
import { type Sample, sampleKey } from "../../domain/timeseries/chunk/sample.ts";
import type { KnownResource } from "../../domain/timeseries/resources.ts";
import type { NewEvent } from "../../events/constructors/compose-event.ts";
import {
  type DataContext,
  type DataEventSelection,
  deviceEvent,
  historicalEvent,
  summaryEvent,
  timeseriesEvents,
} from "../../events/constructors/data-events.ts";
import type { MergedSummary } from "../../store/summaries/summaries.ts";

/** Context of the events of stored data. */
export interface DataEventContext extends DataContext {
  readonly announcement: DataEventSelection;
}

/** Composes the events of stored samples of one resource. @param samples all samples of the batch. */
export function sampleEvents(
  context: DataEventContext,
  resource: KnownResource,
  samples: readonly Sample[],
  { created, updated }: { readonly created: readonly Sample[]; readonly updated: readonly Sample[] },
): NewEvent[] {
  const { sendsDailyEvents, sendsHistoricalEvent } = context.announcement;
  const events = [
    ...timeseriesEvents(context, resource, "created", withPositions(samples, sendsDailyEvents ? created : [])),
    ...timeseriesEvents(context, resource, "updated", withPositions(samples, sendsDailyEvents ? updated : [])),
  ];
  const range = toInstantRange(samples.map(({ start }) => start));
  return sendsHistoricalEvent
    ? [...events, historicalEvent(context, context.receiptId, resource.eventName, range)]
    : events;
}

/** Composes the events of stored summaries of one kind. */
export function summaryEvents(
  context: DataEventContext,
  kind: SummaryKind,
  merged: readonly MergedSummary[],
): NewEvent[] {
  const { name } = kind;
  const { sendsDailyEvents, sendsHistoricalEvent } = context.announcement;
  const range = toInstantRange(merged.map(({ record }) => Date.parse(record.day)));
  const events = merged.flatMap(({ outcome, record }) => {
    if (outcome === "unchanged") return [];
    const summary = toWireSummary(kind, record.fields, record, context.source);
    if (!hasEvents(name)) return [deviceEvent(context, outcome, summary, record.version)];
    return sendsDailyEvents ? [summaryEvent(context, name, outcome, summary, record.version)] : [];
  });
  const history =
    sendsHistoricalEvent && hasEvents(name) ? [historicalEvent(context, context.receiptId, name, range)] : [];
  return [...events, ...history];
}

/** Adds the position in `all` to each sample of `some`. A repeated key gets its last position. */
export function withPositions(all: readonly Sample[], some: readonly Sample[]) {
  const places = new Map(all.map((sample, position) => [sampleKey(sample), position]));
  return some.map((sample) => ({ sample, position: places.get(sampleKey(sample)) ?? 0 }));
}

/** The range of some instants (epoch ms), as historical events carry it. */
export function toInstantRange(instants: readonly number[]) {
  const iso = (ms: number) => new Date(ms).toISOString();
  const [first, last] = instants.reduce(
    ([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)],
    [Infinity, -Infinity],
  );
  return { start_date: iso(first ?? 0), end_date: iso(last ?? 0) };
}
