import * as z from "zod";
import { MAX_OFFSET_S, MAX_TYPE_LENGTH } from "./accept-record.ts";
import type { FieldRule, TimeseriesResource } from "./resource.ts";
import { isResourceUnit, resolveConversion } from "./units.ts";

const instant = z.iso.datetime({ offset: true }).describe("ISO 8601 with an offset or Z");

/**
 * Schema of one ingested record of `resource`, for documentation and as the reference in tests. {@link acceptRecord}
 * implements the same rules faster. Rules between fields (a start or a timestamp, an end not before its start) are not
 * part of the schema.
 */
export function recordSchema(resource: TimeseriesResource): z.ZodObject {
  const fields = resource.fields.map((rule) => [rule.name, fieldSchema(rule)] as const);
  return z.object({
    timestamp: instant.nullish().describe("Instant of the sample; same as start"),
    start: instant.nullish(),
    end: instant.nullish().describe("Exclusive. Required with start for intervals, ignored for points"),
    timezone_offset: z
      .int()
      .min(-MAX_OFFSET_S)
      .max(MAX_OFFSET_S)
      .nullish()
      .describe("Offset from UTC, seconds. Defaults to the offset of start; Z means unknown"),
    type: typeSchema(resource),
    unit: unitSchema(resource).nullish(),
    value: valueSchema(resource),
    ...Object.fromEntries(fields),
  });
}

function valueSchema({ value, bounds: [min, max] }: TimeseriesResource): z.ZodType {
  if (value === "none") return z.null().optional();
  if (value === "string") return z.string().min(min).max(max);
  return (value === "integer" ? z.int() : z.number()).min(min).max(max);
}

/** Checks the text only. The conversion library decides whether it is a unit of the right kind. */
function unitSchema(resource: TimeseriesResource): z.ZodType {
  return z
    .string()
    .refine((unit) => isResourceUnit(resource, unit) || resolveConversion(resource, unit) !== undefined)
    .describe(`${resource.unit}, or a convertible unit as UCUM code or common spelling. Returned as ${resource.unit}`);
}

function typeSchema({ type: { values, required } }: TimeseriesResource): z.ZodType {
  const schema = values === undefined ? z.string().min(1).max(MAX_TYPE_LENGTH) : z.enum(values);
  return required ? schema : schema.nullish();
}

function fieldSchema(rule: FieldRule): z.ZodType {
  if (rule.kind === "number") return z.number().min(rule.bounds[0]).max(rule.bounds[1]);
  const one = z.enum(rule.values);
  return (rule.kind === "choice" ? one : z.array(one).max(rule.values.length)).nullish();
}
