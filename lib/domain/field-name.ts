import * as z from "zod";

/** A name that a sender may choose freely may be personal; those of vocabularies look like this. */
const VOCABULARY = /^[a-z][a-z0-9_]{0,63}$/;

/** The name of a field by its path, with dots. Names that the sender made up, such as those of foods, are `*`. */
export function fieldName(schema: z.ZodType, path: readonly PropertyKey[]): string {
  let inner: unknown = schema;
  const names = path.map((key) => {
    const outer = unwrapped(inner);
    inner = memberOf(outer, key);
    return isFree(outer, key) ? "*" : String(key);
  });
  return names.join(".");
}

/** Whether a schema has a list of single values here, which mean something together only. */
export function isPlainList(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  const list = path.reduce<unknown>((inner, key) => memberOf(unwrapped(inner), key), schema);
  const element = unwrapped(memberOf(unwrapped(list), 0));
  return [z.ZodNumber, z.ZodString, z.ZodBoolean, z.ZodLiteral].some((kind) => element instanceof kind);
}

function isFree(schema: unknown, key: PropertyKey): boolean {
  if (!(schema instanceof z.ZodRecord)) return false;
  return schema.keyType instanceof z.ZodString || !VOCABULARY.test(String(key));
}

function memberOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

/** A schema without what makes it optional or brings its output into another form. */
function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
  const isWrapper = [z.ZodNullable, z.ZodOptional, z.ZodDefault, z.ZodPrefault].some((kind) => schema instanceof kind);
  return isWrapper ? unwrapped((schema as z.ZodOptional).unwrap()) : schema;
}
