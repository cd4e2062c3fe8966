import * as z from "zod";

/** An object of the OpenAPI document. */
export type OpenApiObject = Record<string, unknown>;

/** Collects schemas with an id as components. Other schemas are inlined. */
export class Components {
  readonly schemas: OpenApiObject = {};

  /** @param io whether clients send or receive the value: defaults make the schemas differ. */
  toReference(schema: z.ZodType, io: "input" | "output"): OpenApiObject {
    const made = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as OpenApiObject;
    const { $schema: _, $defs, ...body } = made;
    for (const [name, definition] of Object.entries(($defs ?? {}) as OpenApiObject))
      this.schemas[name] = toComponentSchema(definition);
    const id = schema.meta()?.id;
    if (typeof id !== "string") return toComponentSchema(body);
    if (!this.schemas[id]) this.schemas[id] = toComponentSchema(body);
    return { $ref: `#/components/schemas/${id}` };
  }
}

/** Rewrites references to definitions as references to components, and removes redundant keywords. */
function toComponentSchema(schema: unknown): OpenApiObject {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { id: _, ...body } = JSON.parse(text, dropRedundantKeys) as OpenApiObject;
  return body;
}

/** Removes a pattern that repeats the format, and the range of safe integers. */
function dropRedundantKeys(_key: string, part: unknown): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  const { pattern, minimum, maximum, ...rest } = part as OpenApiObject;
  return {
    ...rest,
    ...(typeof pattern === "string" && "format" in rest ? {} : { pattern }),
    ...(minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

/** The content of a JSON body. */
export const toJsonContent = (schema: OpenApiObject) => ({ content: { "application/json": { schema } } });
