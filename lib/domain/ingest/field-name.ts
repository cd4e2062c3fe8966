import * as z from "zod";

/** Sender-defined names may be personal data; names of vocabularies match this pattern. */
const VOCABULARY = /^[a-z][a-z0-9_]{0,63}$/;

/** Name of a field from its path, joined by dots. Sender-defined names, such as those of foods, become `*`. */
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
  if (!(schema instanceof z.ZodRecord)) return false;
  return schema.keyType instanceof z.ZodString || !VOCABULARY.test(String(key));
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
