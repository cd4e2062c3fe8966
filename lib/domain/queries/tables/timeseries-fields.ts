import { type KnownResource, type ResourceEventName, timeseriesResources } from "../../timeseries/resources.ts";
import type { ColumnType } from "./columns.ts";

/** The query language names timeseries as event types do. */
export type TimeseriesName = ResourceEventName;

const byName = new Map<string, KnownResource>(
  timeseriesResources.map((resource: KnownResource) => [resource.eventName, resource]),
);

export const timeseriesNames = [...byName.keys()] as [TimeseriesName, ...TimeseriesName[]];

const commonFields = {
  source_provider: "text",
  source_type: "text",
  source_app_id: "text",
  source_device_id: "text",
  source_workout_id: "text",
  source_sport: "text",
  timezone_offset: "number",
  type: "text",
} as const;

/** Points that the query language counts among the intervals. Their duration is 0. */
const pointsWithDuration: ReadonlySet<string> = new Set(["water", "floors_climbed", "calories_basal"]);

/** The value fields of a resource: notes have `content`, blood pressure two numbers, all others one value. */
function valueFields({ name, kind, value }: KnownResource): Record<string, ColumnType> {
  if (name === "note") return { content: "text" };
  const hasDuration = kind === "interval" || pointsWithDuration.has(name);
  return { ...(value === "none" ? {} : { value: "number" }), ...(hasDuration ? { duration: "number" } : {}) };
}

/** Selectable fields of a timeseries, with their types. */
export function timeseriesFieldTypes(name: string): Readonly<Record<string, ColumnType>> {
  const resource = byName.get(name);
  if (!resource) return {};
  const own = resource.fields.map(({ name, kind }): [string, ColumnType] => [
    name,
    kind === "number" ? "number" : kind === "choices" ? "list" : "text",
  ]);
  return { ...commonFields, ...valueFields(resource), ...Object.fromEntries(own) };
}

export const timeseriesFieldNames = (name: string): readonly string[] => Object.keys(timeseriesFieldTypes(name));
