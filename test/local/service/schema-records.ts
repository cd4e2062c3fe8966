import fc from "fast-check";
import * as z from "zod";
import { recordSchema } from "../../../lib/domain/timeseries/record-schema.ts";
import type { TimeseriesResource } from "../../../lib/domain/timeseries/resource.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema;
export type SchemaRecord = Record<string, unknown> & { readonly timezone_offset?: number | null };

/** What the schema says of a text's length at most; a page of notes of full length would be all that fits one answer. */
const LONGEST_TEXT = 80;

/**
 * Records as the documented schema of a resource allows them, each optional key sometimes there, sometimes null and
 * sometimes not; without times, whose rules are not part of the schema, and without a unit.
 */
export function schemaRecords(resource: TimeseriesResource): fc.Arbitrary<SchemaRecord> {
  const { properties = {}, required = [] } = z.toJSONSchema(recordSchema(resource));
  const ofTheRecord = ["timestamp", "start", "end", "unit"];
  const keys = Object.entries(properties).filter(([name]) => !ofTheRecord.includes(name));
  const arbitraries = Object.fromEntries(keys.map(([name, schema]) => [name, valuesOf(schema as JsonSchema)]));
  return fc.record(arbitraries, { requiredKeys: required.filter((name) => name in arbitraries) });
}

function valuesOf({ anyOf, enum: values, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valuesOf(one as JsonSchema)));
  if (values !== undefined) return fc.constantFrom(...values);
  const { minimum: min = 0, maximum: max = 0, minLength = 0, maxLength = LONGEST_TEXT } = schema;
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "integer":
      return fc.integer({ min, max });
    case "number":
      // JSON knows no negative zero.
      return fc.double({ min, max, noNaN: true }).map((value) => value + 0);
    case "string":
      return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, LONGEST_TEXT) / 2 });
    case "array":
      return fc.array(valuesOf(schema.items as JsonSchema), { maxLength: schema.maxItems ?? 0 });
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}
