import * as z from "zod";

/** A part of the document. */
export type Json = Record<string, unknown>;

/** Schemas that carry an id of their own become components, everything else stands where it is used. */
export class Components {
  readonly schemas: Json = {};

  /** @param io whether readers send the value or get it: defaults make the two differ. */
  refer(schema: z.ZodType, io: "input" | "output"): Json {
    const made = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as Json;
    const { $schema: _, $defs, ...body } = made;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) this.schemas[name] = strip(definition);
    const id = schema.meta()?.id;
    if (typeof id !== "string") return strip(body);
    if (!this.schemas[id]) this.schemas[id] = strip(body);
    return { $ref: `#/components/schemas/${id}` };
  }
}

/** Rewrites references between definitions to references between components, and leaves out what says nothing new. */
function strip(schema: unknown): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { id: _, ...body } = JSON.parse(text, concise) as Json;
  return body;
}

/** A pattern says the same as the format beside it, at length; the widest range of integers is none. */
function concise(_key: string, part: unknown): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  const { pattern, minimum, maximum, ...rest } = part as Json;
  return {
    ...rest,
    ...(typeof pattern === "string" && "format" in rest ? {} : { pattern }),
    ...(minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

/** A body of JSON. */
export const json = (schema: Json) => ({ content: { "application/json": { schema } } });
