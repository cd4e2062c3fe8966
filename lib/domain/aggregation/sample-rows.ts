import type { FloatingOf } from "../local-day.ts";
import { parseInstant } from "../timeseries/instant.ts";
import { type KnownResource, resourceOfEvent } from "../timeseries/resources.ts";
import { type Cell, type Coverage, type RowSet, SourceList, sourceCell } from "./row-set.ts";
import type { SampleRow, Value } from "./rows.ts";

/** Resources of which a sample is an amount that grew from its start to its end, so that a part of it has a part of that. */
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

/** How samples of a resource cover time. */
export const coverageOf = ({ name }: Pick<KnownResource, "name">): Coverage =>
  amounts.has(name) ? "amount" : "sample";

/** The resource that a query calls so. @throws Error for a name that `checkQuery` refuses. */
export function queriedResource(timeseries: string): KnownResource {
  const resource = resourceOfEvent(timeseries);
  if (!resource) throw new Error(`no timeseries ${timeseries}`);
  return resource;
}

const ms = (text: string) => parseInstant(text)?.ms ?? Number.NaN;

/** Samples as rows. */
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

/** The columns of samples, out of their fields by the names that the wire has for them. */
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
