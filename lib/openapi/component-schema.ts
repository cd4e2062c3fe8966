/** An object of the OpenAPI document. */
export type OpenApiObject = Record<string, unknown>;

/** Rewrites references to definitions as references to components, and removes redundant keywords. */
export function toComponentSchema(schema: unknown): OpenApiObject {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { id: _, $schema: _draft, ...body } = JSON.parse(text, dropRedundantKeys) as OpenApiObject;
  return body;
}

/**
 * Removes a pattern that repeats the format, and the range of safe integers. Marks personal data as an extension. States
 * the length of a tuple as a number, because generators of clients do not read `items: false`.
 */
function dropRedundantKeys(_key: string, part: unknown): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  const { pattern, minimum, maximum, phi, items, ...rest } = part as OpenApiObject;
  const tuple = Array.isArray(rest.prefixItems) ? { maxItems: rest.prefixItems.length } : {};
  return {
    ...rest,
    ...(items === false ? tuple : { items }),
    ...(phi === true ? { "x-phi": true } : {}),
    ...(typeof pattern === "string" && "format" in rest ? {} : { pattern }),
    ...(minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}
