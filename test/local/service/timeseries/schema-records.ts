import fc from "fast-check";
import * as z from "zod";
import { recordSchema } from "../../../../lib/domain/timeseries/record-schema.ts";
import type { TimeseriesResource } from "../../../../lib/domain/timeseries/resource.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema;
export type SchemaRecord = Record<string, unknown> & { readonly timezone_offset?: number | null };

/** Maximum length of a generated text. A page of notes of the schema's full length would exceed one response. */
const LONGEST_TEXT = 80;

/**
 * Generates records that the schema of a resource allows, with each optional key present, null or absent. Omits times,
 * whose rules are not in the schema, and units.
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
      // JSON has no negative zero.
      return fc.double({ min, max, noNaN: true }).map((value) => value + 0);
    case "string":
      return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, LONGEST_TEXT) / 2 });
    case "array":
      return fc.array(valuesOf(schema.items as JsonSchema), { maxLength: schema.maxItems ?? 0 });
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}
