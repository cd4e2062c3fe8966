import { type Sample, sampleName } from "../domain/chunk/sample.ts";
import { type SummaryKind, toWireSummary } from "../domain/summaries/summary-kind.ts";
import { hasEvents } from "../domain/summaries/summary-names.ts";
import type { KnownResource } from "../domain/timeseries/resources.ts";
import type { NewEvent } from "../events/compose-event.ts";
import {
  type Announcement,
  type DataContext,
  deviceEvent,
  historicalEvent,
  summaryEvent,
  timeseriesEvents,
} from "../events/data-events.ts";
import type { MergedSummary } from "../store/summaries.ts";

/** Context of the events of stored data. */
export interface TellingContext extends DataContext {
  readonly announcement: Announcement;
}

/** Composes the events of stored samples of one resource. @param samples all samples of the batch. */
export function sampleEvents(
  context: TellingContext,
  resource: KnownResource,
  samples: readonly Sample[],
  { created, updated }: { readonly created: readonly Sample[]; readonly updated: readonly Sample[] },
): NewEvent[] {
  const { byRecord, asHistory } = context.announcement;
  const events = [
    ...timeseriesEvents(context, resource, "created", placed(samples, byRecord ? created : [])),
    ...timeseriesEvents(context, resource, "updated", placed(samples, byRecord ? updated : [])),
  ];
  const range = rangeOf(samples.map(({ start }) => start));
  return asHistory ? [...events, historicalEvent(context, context.receiptId, resource.eventName, range)] : events;
}

/** Composes the events of stored summaries of one kind. */
export function summaryEvents(
  context: TellingContext,
  kind: SummaryKind,
  merged: readonly MergedSummary[],
): NewEvent[] {
  const { name } = kind;
  const { byRecord, asHistory } = context.announcement;
  const range = rangeOf(merged.map(({ record }) => Date.parse(record.day)));
  const events = merged.flatMap(({ outcome, record }) => {
    if (outcome === "unchanged") return [];
    const summary = toWireSummary(kind, record.fields, record, context.source);
    if (!hasEvents(name)) return [deviceEvent(context, outcome, summary, record.version)];
    return byRecord ? [summaryEvent(context, name, outcome, summary, record.version)] : [];
  });
  const history = asHistory && hasEvents(name) ? [historicalEvent(context, context.receiptId, name, range)] : [];
  return [...events, ...history];
}

/** Adds the position in `all` to each sample of `some`. A repeated key gets its last position. */
export function placed(all: readonly Sample[], some: readonly Sample[]) {
  const places = new Map(all.map((sample, position) => [sampleName(sample), position]));
  return some.map((sample) => ({ sample, position: places.get(sampleName(sample)) ?? 0 }));
}

/** The range of some instants (epoch ms), as historical events carry it. */
export function rangeOf(instants: readonly number[]) {
  const iso = (ms: number) => new Date(ms).toISOString();
  const [first, last] = instants.reduce(
    ([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)],
    [Infinity, -Infinity],
  );
  return { start_date: iso(first ?? 0), end_date: iso(last ?? 0) };
}
