import * as z from "zod";
import { deletedSample, sentDeletion } from "../domain/ingest/deleted-sample.ts";
import { recordLists } from "../domain/ingest/ingest-body.ts";
import { type OpenApiObject, toComponentSchema } from "./component-schema.ts";
import { createIngestRecords } from "./ingest-resources.ts";

/** Collects schemas with an id as components. Other schemas are inlined. */
export class Components {
  readonly schemas: OpenApiObject = {};
  /** The text of each component, by direction and id. */
  readonly #texts = new Map<string, string>();
  /** Made once: two routes take the records of a batch. */
  #records: ReturnType<typeof createIngestRecords> | undefined;

  /** @param io whether clients send or receive the value: defaults make the schemas differ. */
  toReference(schema: z.ZodType, io: "input" | "output"): OpenApiObject {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      reused: "inline",
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema === recordLists) Object.assign(jsonSchema, this.#documentRecords());
        if (zodSchema === sentDeletion) Object.assign(jsonSchema, documentDeletion());
      },
    }) as OpenApiObject;
    const { $schema: _, $defs, ...body } = made;
    for (const [name, definition] of Object.entries(($defs ?? {}) as OpenApiObject)) this.#add(name, io, definition);
    const id = schema.meta()?.id;
    if (typeof id !== "string") return toComponentSchema(body);
    // A schema that another one names comes as a definition of its own.
    if (!("$ref" in body)) this.#add(id, io, body);
    return { $ref: `#/components/schemas/${id}` };
  }

  /** Adds a component; of two directions, the first stays. @throws Error if two schemas of one direction share an id. */
  #add(id: string, io: "input" | "output", schema: unknown): void {
    const made = toComponentSchema(schema);
    const text = JSON.stringify(made);
    const known = this.#texts.get(`${io} ${id}`);
    if (known !== undefined && known !== text) throw new Error(`two schemas have the id ${id}`);
    this.#texts.set(`${io} ${id}`, text);
    this.schemas[id] ??= made;
  }

  /** The keywords that document the records of a batch. Their schemas become components. */
  #documentRecords(): OpenApiObject {
    this.#records ??= createIngestRecords();
    const { lists, components } = this.#records;
    Object.assign(this.schemas, components);
    const description = "Records of an unknown resource. Each is rejected with the reason unknown_resource";
    return { properties: lists, additionalProperties: { type: "array", items: {}, description } };
  }
}

/** The keywords that document a deletion. */
function documentDeletion(): OpenApiObject {
  const { $schema: _, ...keywords } = z.toJSONSchema(deletedSample, { io: "input" });
  return keywords;
}

/** The content of a JSON body. */
export const toJsonContent = (schema: OpenApiObject, mediaType = "application/json") => ({
  content: { [mediaType]: { schema } },
});
