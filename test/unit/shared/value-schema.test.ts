import { expect, test } from "vitest";
import * as z from "zod";
import { openEnum } from "../../../lib/contract/open-enum.ts";
import { createRecordSchema, recordResources } from "../../../lib/domain/ingest/record-schemas.ts";
import { describeExpected, schemaAt } from "../../../lib/domain/shared/expected-words.ts";
import { toValueSchema, type ValueSchema } from "../../../lib/domain/shared/value-schema.ts";

/** Every path of a schema, and its words. */
function wordsIn(schema: ValueSchema, path: readonly string[] = []): string[] {
  const inner = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const members = [
    ...Object.entries(inner.properties ?? {}),
    ...(inner.items ? [["0", inner.items] as const] : []),
    ...(typeof inner.additionalProperties === "object" ? [["*", inner.additionalProperties] as const] : []),
  ];
  const own = `${path.join(".")}: ${describeExpected(schema)} | ${schema.description}`;
  return [own, ...members.flatMap(([name, member]) => wordsIn(member, [...path, name]))];
}

test.each(recordResources)("the words about %s are those of its JSON Schema", (name) => {
  const schema = createRecordSchema(name)!;
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as ValueSchema;
  expect(wordsIn(toValueSchema(schema))).toEqual(wordsIn(json));
});

test.each([
  [z.number().min(1), "a number of at least 1"],
  [z.int().max(5), "a whole number of at most 5"],
  [z.int(), "a whole number"],
  [z.number().min(1).max(1), "a number that is 1"],
  [z.string(), "a text"],
  [z.string().max(5), "a text of 0 to 5 characters"],
  [z.string().regex(/^a+$/), "a text of the pattern ^a+$"],
  [openEnum(["a", "b"]), "a text such as a, b"],
  [z.guid(), "a UUID"],
  [z.iso.date().nullable(), "an ISO 8601 date, such as 2026-05-01, or null"],
  [z.enum(["a", "b"]), "one of a, b"],
  [z.enum(Array.from({ length: 20 }, (_, at) => `v${at}`)), /^one of v0, .* v13 and 6 more$/],
  [z.literal(true).nullish(), "true, or null"],
  [z.boolean(), "true or false"],
  [z.array(z.int()).length(6).nullable(), "a list of 6, each a whole number; or null"],
  [z.array(z.string()).min(1), "a list of at least 1, each a text"],
  [z.object({}), "an object"],
  [z.object({ a: z.int(), b: z.int().optional() }), "an object with a and optionally b"],
  [z.object({ b: z.int().default(1) }), "an object with any of b"],
  [z.union([z.string(), z.number()]), "a text, or a number"],
  [z.string().transform(Number), "a text"],
  [z.unknown(), "a JSON value"],
])("words about %o", (schema, words) => {
  const description = describeExpected(toValueSchema(schema));
  if (typeof words === "string") expect(description).toBe(words);
  else expect(description).toMatch(words);
});

test("a path leads through objects, lists and records, and ends at unknown names", () => {
  const schema = toValueSchema(
    z.object({
      list: z.array(z.object({ a: z.int() })).describe("Pairs"),
      map: z.record(z.string(), z.boolean()).nullable(),
    }),
  );
  expect(schemaAt(schema, ["list", "3", "a"])).toEqual({ type: "integer" });
  expect(schemaAt(schema, ["list", "3"])).toMatchObject({ type: "object", description: "Pairs" });
  expect(schemaAt(schema, ["map", "*"])).toEqual({ type: "boolean" });
  for (const path of [["toString"], ["list", "0", "b"], ["x", "y"]]) expect(schemaAt(schema, path)).toBeUndefined();
});
