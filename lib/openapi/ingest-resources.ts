import * as z from "zod";
import { componentName } from "../contract/component-name.ts";
import { createRecordSchema, recordResources } from "../domain/ingest/record-schemas.ts";
import { descriptionOf } from "../domain/shared/expected-words.ts";
import type { ValueSchema } from "../domain/shared/value-schema.ts";
import { findStreamKind } from "../domain/summaries/streams/stream-kinds.ts";
import { findResource } from "../domain/timeseries/resources.ts";
import { type OpenApiObject, toComponentSchema } from "./component-schema.ts";

/** The records of all resources of a batch. */
interface IngestRecords {
  /** The list of records of each resource. */
  readonly lists: OpenApiObject;
  /** The schemas that the lists refer to, by the name of their component. */
  readonly components: OpenApiObject;
}

/** Fields that most samples have in the same form. Their records share the schemas. */
const SAMPLE_FIELDS = ["timestamp", "start", "end", "timezone_offset", "type"] as const;

/**
 * Documents the lists of a batch by resource, from the schemas that validate records. A batch itself names no schemas, so
 * that functions do not contain them. Resources with equal records share the component of the first one.
 */
export function createIngestRecords(): IngestRecords {
  const records = recordResources.map((name) => ({ name, schema: toRecord(name) }));
  const shared = new SharedSchemas();
  const [sample] = records.filter(({ name }) => findResource(name));
  const fields = sample?.schema.properties as Readonly<Record<string, OpenApiObject>>;
  for (const name of SAMPLE_FIELDS) shared.add(componentName(`sample_${name}`, ""), fields[name]);
  for (const { name, schema } of records) shared.add(componentName(name, "Record"), schema);
  const lists = records.map(({ name, schema }) => {
    const description = describeResource(name);
    return [name, { type: "array", description, items: shared.toReference(schema) }] as const;
  });
  return { lists: Object.fromEntries(lists), components: shared.components };
}

/** Schemas that become components. Equal ones share the name that came first. */
class SharedSchemas {
  /** Names of components by the text of their schema. */
  readonly #names = new Map<string, string>();

  add(name: string, schema: unknown): void {
    const text = JSON.stringify(schema);
    if (!this.#names.has(text)) this.#names.set(text, name);
  }

  toReference(schema: unknown): OpenApiObject {
    return { $ref: `#/components/schemas/${this.#names.get(JSON.stringify(schema))}` };
  }

  /** The components, in which shared schemas are references. */
  get components(): OpenApiObject {
    const entries = [...this.#names].map(([text, name]) => [name, this.#withReferences(JSON.parse(text))] as const);
    return Object.fromEntries(entries);
  }

  #withReferences(schema: unknown): unknown {
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
    const members = Object.entries(schema).map(([key, part]) => [key, this.#share(part)] as const);
    return Object.fromEntries(members);
  }

  #share(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((one) => this.#share(one));
    return this.#names.has(JSON.stringify(part)) ? this.toReference(part) : this.#withReferences(part);
  }
}

/** The JSON Schema of a record, with ranges and formats in the descriptions of its fields. */
function toRecord(name: string): OpenApiObject {
  const schema = createRecordSchema(name) as z.ZodObject;
  return toComponentSchema(
    z.toJSONSchema(schema, {
      io: "input",
      unrepresentable: "any",
      reused: "inline",
      override: ({ jsonSchema }) => {
        const words = describeValue(jsonSchema as ValueSchema);
        if (words !== undefined) jsonSchema.description = words;
      },
    }),
  );
}

/** Adds the range of a number to its description; undefined for other values. */
function describeValue(schema: ValueSchema): string | undefined {
  const [number] = (schema.anyOf ?? [schema]).filter(({ type }) => type === "number" || type === "integer");
  const { minimum, maximum } = number ?? {};
  const description = descriptionOf(schema);
  if (description === undefined || minimum === undefined) return undefined;
  return `${description}, ${maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`}`;
}

function describeResource(name: string): string {
  const words = name.replaceAll("_", " ");
  const resource = findResource(name);
  if (resource)
    return `Samples of ${words}, ${resource.unit}. Each is an ${resource.kind === "point" ? "instant" : "interval"}`;
  const stream = findStreamKind(name);
  return stream ? `Streams, each of one record of ${stream.of.name}` : `Summaries: ${words}`;
}
