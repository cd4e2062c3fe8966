import * as z from "zod";

/**
 * Name of a field from its path, joined by dots. Sender-defined names, such as those of foods, may be personal data and
 * become `*`.
 */
export function fieldName(schema: z.ZodType, path: readonly PropertyKey[]): string {
  let inner: unknown = schema;
  const names = path.map((key) => {
    const outer = unwrapped(inner);
    inner = memberOf(outer, key);
    return isSenderDefined(outer, key) ? "*" : String(key);
  });
  return names.join(".");
}

/** Whether the schema has a list of scalars at a path. Such values have meaning only together. */
export function isScalarList(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  const list = path.reduce<unknown>((inner, key) => memberOf(unwrapped(inner), key), schema);
  const element = unwrapped(memberOf(unwrapped(list), 0));
  return [z.ZodNumber, z.ZodString, z.ZodBoolean, z.ZodLiteral].some((kind) => element instanceof kind);
}

function isSenderDefined(schema: unknown, key: PropertyKey): boolean {
  return schema instanceof z.ZodRecord && !knownNames(schema.keyType).includes(key);
}

/** The names that a schema of keys lists. */
function knownNames(keys: unknown): readonly unknown[] {
  if (keys instanceof z.ZodEnum) return keys.options;
  if (keys instanceof z.ZodPipe) return [...knownNames(keys.in), ...knownNames(keys.out)];
  const known = keys instanceof z.ZodString ? keys.meta()?.["x-known-values"] : undefined;
  return Array.isArray(known) ? known : [];
}

function memberOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

/** Unwraps optional, nullable, default and transforming schemas. */
function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
  const isWrapper = [z.ZodNullable, z.ZodOptional, z.ZodDefault, z.ZodPrefault].some((kind) => schema instanceof kind);
  return isWrapper ? unwrapped((schema as z.ZodOptional).unwrap()) : schema;
}
