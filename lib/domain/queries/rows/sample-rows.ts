import { parseInstant } from "../../shared/instant.ts";
import type { ToFloatingTime } from "../../shared/local-day.ts";
import { findResourceByEventName, type KnownResource } from "../../timeseries/resources.ts";
import { type CellReader, type Coverage, type RowSet, SourceIndex, sourceCellReader } from "./row-set.ts";
import type { CellValue, SampleRow } from "./rows.ts";

/** Resources whose samples are amounts that grow from start to end, so that part of the time has part of the amount. */
const amountResources = new Set<string>([
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
export const sampleCoverage = ({ name }: Pick<KnownResource, "name">): Coverage =>
  amountResources.has(name) ? "amount" : "sample";

/**
 * The resource of a timeseries name.
 * @throws Error for a name that `checkQuery` rejects.
 */
export function resolveTimeseries(timeseries: string): KnownResource {
  const resource = findResourceByEventName(timeseries);
  if (!resource) throw new Error(`Unknown timeseries ${timeseries}`);
  return resource;
}

const parseEpochMs = (text: string) => parseInstant(text)?.ms ?? Number.NaN;

/** Builds the row set of wire samples. */
export function sampleRows(timeseries: string, samples: readonly SampleRow[], floatingOf: ToFloatingTime): RowSet {
  const resource = resolveTimeseries(timeseries);
  const begins = Float64Array.from(samples, ({ timestamp }) => parseEpochMs(timestamp));
  const list = new SourceIndex();
  const sourceOf = Uint32Array.from(samples, ({ source }) => list.indexOf(source));
  const frame = {
    count: samples.length,
    instants: begins,
    floating: begins.map((begin, row) => floatingOf(begin, samples[row]?.timezone_offset ?? Number.NaN)),
    begins,
    ends: Float64Array.from(samples, ({ timestamp, end }) => parseEpochMs(end ?? timestamp)),
    sourceOf,
    sources: list.sources,
  };
  const field = (name: string) => (row: number) => (samples[row]?.[name] ?? null) as CellValue;
  return { ...frame, ...sampleCellReaders(resource, frame, field) };
}

/** Column readers for samples, built from readers of their wire fields. */
export function sampleCellReaders(
  resource: KnownResource,
  { begins, ends, ...sources }: Pick<RowSet, "begins" | "ends" | "sourceOf" | "sources">,
  field: (name: string) => CellReader,
): Pick<RowSet, "coverage" | "kind" | "cell" | "epoch"> {
  const cell = (column: string): CellReader => {
    if (column === "duration") return (row) => ((ends[row] ?? 0) - (begins[row] ?? 0)) / 1000;
    return sourceCellReader(sources, column) ?? field(column === "content" ? "value" : column);
  };
  const kind = resource.type.identity ? field("type") : undefined;
  return { coverage: sampleCoverage(resource), kind, cell, epoch: cell };
}
