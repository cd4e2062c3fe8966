import * as z from "zod";
import { MAX_OFFSET_S, MAX_TYPE_LENGTH } from "./accept-record.ts";
import type { FieldRule, TimeseriesResource } from "./resource.ts";
import { isConvertible, isResourceUnit, listSpellings, resolveConversion } from "./units.ts";

const instant = z.iso.datetime({ offset: true });

/**
 * Schema of one ingested record of `resource`, for documentation and as the reference in tests. {@link acceptRecord}
 * implements the same rules faster. Rules between fields (a start or a timestamp, an end not before its start) are not
 * part of the schema.
 */
export function recordSchema(resource: TimeseriesResource): z.ZodObject {
  const fields = resource.fields.map((rule) => [rule.name, fieldSchema(rule, resource)] as const);
  return z.object({
    timestamp: instant.nullish().describe("Instant of the sample. A record has a timestamp or a start"),
    start: instant.nullish().describe("Start of the sample, inclusive. If timestamp is also there, both are equal"),
    end: instant
      .nullish()
      .describe("End of the sample, exclusive, not before its start. Required with start for intervals"),
    timezone_offset: z
      .int()
      .min(-MAX_OFFSET_S)
      .max(MAX_OFFSET_S)
      .nullish()
      .describe("Offset from UTC, seconds. Defaults to the offset of start; Z means unknown"),
    type: typeSchema(resource),
    unit: unitSchema(resource).nullish().describe(describeUnits(resource)),
    value: valueSchema(resource),
    ...Object.fromEntries(fields),
  });
}

function valueSchema(resource: TimeseriesResource): z.ZodType {
  const { value, bounds } = resource;
  const [min, max] = bounds;
  if (value === "none") return z.null().optional().describe("Other fields carry the measurement");
  if (value === "string") return z.string().min(min).max(max).describe("Text of the sample");
  return (value === "integer" ? z.int() : z.number())
    .min(min)
    .max(max)
    .describe(`Value, ${inUnit(resource)}`);
}

/** The unit of the range of a number. */
const inUnit = (resource: TimeseriesResource): string =>
  isConvertible(resource) ? `${resource.unit} after conversion` : resource.unit;

/** Checks the text only. The conversion library decides whether it is a unit of the right kind. */
function unitSchema(resource: TimeseriesResource): z.ZodType {
  const spellings = listSpellings(resource);
  if (!isConvertible(resource)) return z.literal(spellings);
  return z
    .string()
    .refine((unit) => isResourceUnit(resource, unit) || resolveConversion(resource, unit) !== undefined)
    .meta({ "x-known-values": spellings });
}

function describeUnits(resource: TimeseriesResource): string {
  const { unit } = resource;
  if (!isConvertible(resource)) return `Unit of the value, by default ${unit}`;
  return `Unit of the numbers: ${unit}, or a convertible unit as UCUM code or common spelling. Returned as ${unit}`;
}

function typeSchema({ type: { values, required, identity } }: TimeseriesResource): z.ZodType {
  const schema = values === undefined ? z.string().min(1).max(MAX_TYPE_LENGTH) : z.enum(values);
  const description = identity
    ? "Type of the sample. Samples of several types can share an instant"
    : "Type of the sample";
  return (required ? schema : schema.nullish()).describe(description);
}

function fieldSchema(rule: FieldRule, resource: TimeseriesResource): z.ZodType {
  const words = rule.name.replaceAll("_", " ");
  if (rule.kind === "number") {
    const [min, max] = rule.bounds;
    return z
      .number()
      .min(min)
      .max(max)
      .describe(`The ${words} value, ${inUnit(resource)}`);
  }
  const one = z.enum(rule.values);
  const schema = rule.kind === "choice" ? one : z.array(one).max(rule.values.length);
  return schema.nullish().describe(`The ${words} of the sample`);
}
