import * as z from "zod";
import { componentName } from "../../contract/component-name.ts";
import { openEnum } from "../../contract/open-enum.ts";
import { wireSource } from "../connections/sources/source.ts";
import type { FieldRule, TimeseriesResource } from "./resource.ts";
import { findResource } from "./resources.ts";

const instant = z.iso.datetime({ offset: true });

const common = {
  id: z.int().nullable().describe("Always null; samples have no id"),
  timezone_offset: z.int().nullable().describe("Offset from UTC at the place of measurement, seconds"),
  timestamp: instant.describe("Same as start"),
  start: instant,
  end: instant.describe("Exclusive; same as start for instants"),
};

const schemas = new Map<string, z.ZodObject>();

/**
 * Wire schema of a sample of `resource`. Resources without particular fields share one OpenAPI component; the unit
 * stands beside the reference to it.
 */
export function wireSampleSchema(resource: TimeseriesResource): z.ZodObject {
  const name = hasOwnShape(resource) ? resource.name : "";
  const schema = schemas.get(name) ?? createSampleSchema(resource, componentName(name, "Sample"));
  schemas.set(name, schema);
  return schema.meta({ properties: { unit: { const: resource.unit } } });
}

/** Whether the samples of a resource differ from a plain number with a unit. */
function hasOwnShape({ type, fields, value }: TimeseriesResource): boolean {
  return type.values !== undefined || type.required || fields.length > 0 || value === "string" || value === "none";
}

function createSampleSchema(resource: TimeseriesResource, id: string): z.ZodObject {
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

/** Wire schema of a sample of any resource, for routes that serve all of them. */
export const anyWireSample = z.looseObject({
  ...common,
  type: z.string().nullable(),
  unit: z.string(),
  value: z.union([z.number(), z.string()]).nullish().describe("Absent for blood pressure; see systolic and diastolic"),
});

/** Response of grouped reads: groups by provider slug, one entry per source, device and app, and a cursor while more pages follow. */
export function groupedResponse<Sample extends z.ZodType>(sample: Sample) {
  const nextCursor = z.string().nullable();
  return z.object({
    groups: z.record(z.string(), z.array(z.object({ source: wireSource, data: z.array(sample) }))),
    next_cursor: nextCursor.describe("Null on the last page"),
    next: nextCursor.meta({ deprecated: true, description: "Same as next_cursor" }),
  });
}

/** Response of the deprecated ungrouped reads: samples of all sources in one list. */
export function ungroupedResponse<Sample extends z.ZodType>(sample: Sample) {
  return z.array(sample);
}

function wireField(rule: FieldRule): z.ZodType {
  if (rule.kind === "number") return z.number();
  const one = openEnum(rule.values);
  return (rule.kind === "choice" ? one : z.array(one)).nullable();
}

/**
 * Wire schema of a sample by resource name.
 * @throws RangeError for an unknown name.
 */
export function wireSampleSchemaByName(name: string): z.ZodObject {
  const resource = findResource(name);
  if (!resource) throw new RangeError(`unknown resource ${name}`);
  return wireSampleSchema(resource);
}
