import type { FloatingOf } from "../local-day.ts";
import { parseInstant } from "../timeseries/instant.ts";
import { type KnownResource, resourceOfEvent } from "../timeseries/resources.ts";
import { type Cell, type Coverage, type RowSet, SourceList, sourceCell } from "./row-set.ts";
import type { SampleRow, Value } from "./rows.ts";

/** Resources whose samples are amounts that grow from start to end, so that part of the time has part of the amount. */
const amounts = new Set<string>([
  "steps",
  "wheelchair_push",
  "workout_swimming_stroke",
  "distance",
  "workout_distance",
  "calories_active",
  "stand_duration",
  "daylight_exposure",
  "workout_duration",
  "mindfulness_minutes",
]);

/** How the samples of a resource cover time. */
export const coverageOf = ({ name }: Pick<KnownResource, "name">): Coverage =>
  amounts.has(name) ? "amount" : "sample";

/**
 * The resource of a timeseries name.
 * @throws Error for a name that `checkQuery` rejects.
 */
export function queriedResource(timeseries: string): KnownResource {
  const resource = resourceOfEvent(timeseries);
  if (!resource) throw new Error(`Unknown timeseries ${timeseries}`);
  return resource;
}

const ms = (text: string) => parseInstant(text)?.ms ?? Number.NaN;

/** Builds the row set of wire samples. */
export function sampleRows(timeseries: string, samples: readonly SampleRow[], floatingOf: FloatingOf): RowSet {
  const resource = queriedResource(timeseries);
  const begins = Float64Array.from(samples, ({ timestamp }) => ms(timestamp));
  const list = new SourceList();
  const sourceOf = Uint32Array.from(samples, ({ source }) => list.numberOf(source));
  const frame = {
    count: samples.length,
    instants: begins,
    floating: begins.map((begin, row) => floatingOf(begin, samples[row]?.timezone_offset ?? Number.NaN)),
    begins,
    ends: Float64Array.from(samples, ({ timestamp, end }) => ms(end ?? timestamp)),
    sourceOf,
    sources: list.sources,
  };
  const field = (name: string) => (row: number) => (samples[row]?.[name] ?? null) as Value;
  return { ...frame, ...sampleCells(resource, frame, field) };
}

/** Column readers for samples, built from readers of their wire fields. */
export function sampleCells(
  resource: KnownResource,
  { begins, ends, ...sources }: Pick<RowSet, "begins" | "ends" | "sourceOf" | "sources">,
  field: (name: string) => Cell,
): Pick<RowSet, "coverage" | "kind" | "cell" | "epoch"> {
  const cell = (column: string): Cell => {
    if (column === "duration") return (row) => ((ends[row] ?? 0) - (begins[row] ?? 0)) / 1000;
    return sourceCell(sources, column) ?? field(column === "content" ? "value" : column);
  };
  const kind = resource.type.identity ? field("type") : undefined;
  return { coverage: coverageOf(resource), kind, cell, epoch: cell };
}
