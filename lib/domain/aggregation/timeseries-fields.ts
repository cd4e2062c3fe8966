import { type KnownResource, type ResourceEventName, timeseriesResources } from "../timeseries/resources.ts";
import type { ColumnType } from "./columns.ts";

/** The timeseries of the query language go by the names that events have for them. */
export type TimeseriesName = ResourceEventName;

const byName = new Map<string, KnownResource>(
  timeseriesResources.map((resource: KnownResource) => [resource.eventName, resource]),
);

export const timeseriesNames = [...byName.keys()] as [TimeseriesName, ...TimeseriesName[]];

const ofEverySample = {
  source_provider: "text",
  source_type: "text",
  source_app_id: "text",
  source_workout_id: "text",
  source_sport: "text",
  timezone_offset: "number",
  type: "text",
} as const;

/** Fields that hold what a sample is about: notes have a content, blood pressure two values, all else one value. */
function valueFields({ name, kind, value }: KnownResource): Record<string, ColumnType> {
  if (name === "note") return { content: "text" };
  return { ...(value === "none" ? {} : { value: "number" }), ...(kind === "interval" ? { duration: "number" } : {}) };
}

/** The fields of a timeseries that can be selected, and what each holds. */
export function fieldTypes(name: string): Readonly<Record<string, ColumnType>> {
  const resource = byName.get(name);
  if (!resource) return {};
  const own = resource.fields.map(({ name, kind }): [string, ColumnType] => [
    name,
    kind === "number" ? "number" : kind === "choices" ? "list" : "text",
  ]);
  return { ...ofEverySample, ...valueFields(resource), ...Object.fromEntries(own) };
}

export const fieldsOf = (name: string): readonly string[] => Object.keys(fieldTypes(name));
