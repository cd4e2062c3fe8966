import { describe, expect, test } from "vitest";
import * as z from "zod";
import { recordResources } from "../../../lib/domain/ingest/record-schemas.ts";
import { createOpenApiDocument } from "../../../lib/openapi/document.ts";
import { recordExamples } from "../../unit/ingest/record-examples.ts";

type Json = Record<string, unknown>;

const document = JSON.parse(JSON.stringify(createOpenApiDocument())) as {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Json }> } } }>;
  components: { schemas: Record<string, Json> };
};
const { schemas } = document.components;

const list = z.strictObject({
  type: z.literal("array"),
  description: z.string().min(10),
  items: z.strictObject({ $ref: z.string() }),
});
const resources = z
  .looseObject({
    properties: z.record(z.string(), list),
    additionalProperties: z.strictObject({
      type: z.literal("array"),
      items: z.strictObject({}),
      description: z.string(),
    }),
  })
  .parse(schemas.IngestResources);

const componentOf = (resource: string) => resources.properties[resource]!.items.$ref.split("/").at(-1)!;

/** A schema that a client generates from the document for the records of a resource. */
function generatedSchema(resource: string): z.ZodType {
  const text = JSON.stringify(schemas).replaceAll("#/components/schemas/", "#/$defs/");
  return z.fromJSONSchema({ $defs: JSON.parse(text), $ref: `#/$defs/${componentOf(resource)}` });
}

/** The schema that a reference names, or the schema itself. */
const resolved = (schema: Json): Json =>
  typeof schema.$ref === "string" ? schemas[schema.$ref.split("/").at(-1)!]! : schema;

/** Every field of a schema, with the description of its value or of its options. */
function fieldsOf(given: Json, path = ""): { path: string; field: Json }[] {
  const schema = resolved(given);
  const options = [schema, ...((schema.anyOf as Json[] | undefined) ?? [])];
  return options.flatMap((option) => [
    ...Object.entries((option.properties ?? {}) as Record<string, Json>).flatMap(([name, field]) => [
      { path: `${path}.${name}`, field: resolved(field) },
      ...fieldsOf(field, `${path}.${name}`),
    ]),
    ...(option.items ? fieldsOf(option.items as Json, `${path}.0`) : []),
    ...(typeof option.additionalProperties === "object"
      ? fieldsOf(option.additionalProperties as Json, `${path}.*`)
      : []),
  ]);
}

test.each(["/v2/ingest/{user_id}", "/v2/sdk/sync"])("%s takes the records of each resource", (path) => {
  const { schema } = document.paths[path]!.post!.requestBody!.content["application/json"]!;
  expect((schema.properties as Json).resources).toEqual({ $ref: "#/components/schemas/IngestResources" });
});

test("every resource of the service is a property, and others are no error of the schema", () => {
  expect(Object.keys(resources.properties)).toEqual(recordResources);
  expect(resources.additionalProperties.description).toContain("unknown_resource");
  for (const { properties } of [resources])
    for (const { $ref } of Object.values(properties).map(({ items }) => items))
      expect(schemas).toHaveProperty($ref.split("/").at(-1)!);
});

test("resources with equal records share a component", () => {
  const used = new Set(recordResources.map(componentOf));
  expect(new Set([...used].map((name) => JSON.stringify(schemas[name]))).size).toBe(used.size);
  expect(used.size).toBeLessThan(recordResources.length - 5);
  expect(componentOf("workout_distance")).toBe("DistanceRecord");
  expect(JSON.stringify(schemas.SleepStreamRecord)).toContain('"#/components/schemas/HeartrateRecord"');
});

describe.each(recordResources)("the schema of a record of %s", (resource) => {
  const schema = schemas[componentOf(resource)]!;
  const example = recordExamples.get(resource)!;

  test("accepts a valid record and refuses wrong ones", () => {
    const generated = generatedSchema(resource);
    expect(generated.safeParse(example).error).toBeUndefined();
    for (const name of Object.keys(example))
      expect(generated.safeParse({ ...example, [name]: [{}, { junk: true }] }).success, name).toBe(false);
    for (const name of (schema.required ?? []) as string[])
      expect(generated.safeParse({ ...example, [name]: undefined }).success, name).toBe(false);
    for (const junk of [null, "text", 5, []]) expect(generated.safeParse(junk).success).toBe(false);
  });

  test("names exactly the fields of the record", () => {
    expect(Object.keys(schema.properties as Json).toSorted()).toEqual(
      [...new Set([...Object.keys(example), ...(resource === "blood_pressure" ? ["value"] : [])])].toSorted(),
    );
  });

  test("describes every field, and in words the range of every number", () => {
    const fields = fieldsOf(schema);
    expect(fields.length).toBeGreaterThan(2);
    for (const { path, field } of fields) {
      const options = [field, ...((field.anyOf as Json[] | undefined) ?? [])];
      const words = options.map(({ description }) => description).join(" ");
      expect(words, path).toMatch(/\w{2}/);
      for (const { minimum, maximum } of options)
        for (const limit of [minimum, maximum]) if (limit !== undefined) expect(words, path).toContain(`${limit}`);
    }
  });
});
