import * as z from "zod";

/** An object of the OpenAPI document. */
export type Json = Record<string, unknown>;

/** Collects schemas with an id as components. Other schemas are inlined. */
export class Components {
  readonly schemas: Json = {};

  /** @param io whether clients send or receive the value: defaults make the schemas differ. */
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

/** Rewrites references to definitions as references to components, and removes redundant keywords. */
function strip(schema: unknown): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { id: _, ...body } = JSON.parse(text, concise) as Json;
  return body;
}

/** Removes a pattern that repeats the format, and the range of safe integers. */
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

/** The content of a JSON body. */
export const json = (schema: Json) => ({ content: { "application/json": { schema } } });
