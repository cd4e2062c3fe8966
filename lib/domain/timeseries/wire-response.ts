import * as z from "zod";
import { componentName } from "../../contract/component-name.ts";
import { openEnum } from "../../contract/open-enum.ts";
import { wireSource } from "../sources/source.ts";
import type { FieldRule, TimeseriesResource } from "./resource.ts";
import { findResource } from "./resources.ts";

const instant = z.iso.datetime({ offset: true });

const common = {
  id: z.int().nullable().describe("Always null; samples have no id of their own"),
  timezone_offset: z.int().nullable().describe("Offset from UTC where the sample was taken, seconds"),
  timestamp: instant.describe("Same as start"),
  start: instant,
  end: instant.describe("Excluded; same as start for values of an instant"),
};

const schemas = new Map<string, z.ZodObject>();

/**
 * One answered sample of `resource`. Samples of the resources that have nothing of their own share one component of the
 * OpenAPI document; there the unit stands beside the reference to it.
 */
export function wireSampleSchema(resource: TimeseriesResource): z.ZodObject {
  const name = hasOwnShape(resource) ? resource.name : "";
  const schema = schemas.get(name) ?? makeSampleSchema(resource, componentName(name, "Sample"));
  schemas.set(name, schema);
  return schema.meta({ properties: { unit: { const: resource.unit } } });
}

/** Whether a sample of the resource is more than a number in a unit. */
function hasOwnShape({ type, fields, value }: TimeseriesResource): boolean {
  return type.values !== undefined || type.required || fields.length > 0 || value === "string" || value === "none";
}

function makeSampleSchema(resource: TimeseriesResource, id: string): z.ZodObject {
  const { values, required } = resource.type;
  const type = values === undefined ? z.string() : openEnum(values);
  const fields = resource.fields.map((rule) => [rule.name, wireField(rule)] as const);
  return z
    .object({
      ...common,
      type: required ? type : type.nullable(),
      unit: z.string(),
      ...(resource.value === "none" ? {} : { value: resource.value === "string" ? z.string() : z.number() }),
      ...Object.fromEntries(fields),
    })
    .meta({ id });
}

/** One answered sample of whichever resource, for routes that serve them all. */
export const anyWireSample = z.looseObject({
  ...common,
  type: z.string().nullable(),
  unit: z.string(),
  value: z.union([z.number(), z.string()]).nullish().describe("Absent for blood pressure, see systolic, diastolic"),
});

/** Answer of the grouped reads: groups by provider slug, one entry per source, and a cursor while there is more. */
export function groupedResponse<Sample extends z.ZodType>(sample: Sample) {
  const nextCursor = z.string().nullable();
  return z.object({
    groups: z.record(z.string(), z.array(z.object({ source: wireSource, data: z.array(sample) }))),
    next_cursor: nextCursor.describe("Null when there is no more"),
    next: nextCursor.meta({ deprecated: true, description: "Same as next_cursor" }),
  });
}

/** Answer of the deprecated plain reads: samples of all sources together. */
export function plainResponse<Sample extends z.ZodType>(sample: Sample) {
  return z.array(sample);
}

function wireField(rule: FieldRule): z.ZodType {
  if (rule.kind === "number") return z.number();
  const one = openEnum(rule.values);
  return (rule.kind === "choice" ? one : z.array(one)).nullable();
}

/** The schema of an answered sample of the resource with this name. */
export function wireSampleOf(name: string): z.ZodObject {
  const resource = findResource(name);
  if (!resource) throw new RangeError(`no resource ${name}`);
  return wireSampleSchema(resource);
}
