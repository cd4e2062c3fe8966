import type { ValueSchema } from "./value-schema.ts";

/** Maximum number of values and names that words list. */
const MAX_LISTED = 14;

const formats: Readonly<Record<string, string>> = {
  "date-time": "an ISO 8601 date-time with an offset or Z, such as 2026-05-01T08:00:00+02:00",
  date: "an ISO 8601 date, such as 2026-05-01",
  uuid: "a UUID",
  email: "an e-mail address",
  uri: "a URL",
};

/** Describes the values that a schema allows, for people. @example "a number from 10 to 400, or null" */
export function describeExpected(schema: ValueSchema): string {
  const options = schema.anyOf ?? [schema.type ?? []].flat().map((type) => ({ ...schema, type }));
  if (options.length < 2) return describeOne(schema);
  const isNullable = options.some(({ type }) => type === "null");
  const words = options.filter(({ type }) => type !== "null").map((option) => describeExpected(option));
  const hasClauses = words.some((one) => one.includes("each "));
  return [...words, ...(isNullable ? ["null"] : [])].join(hasClauses ? "; or " : ", or ");
}

function describeOne(schema: ValueSchema): string {
  if (schema.const !== undefined) return listValues([schema.const]);
  if (schema.enum) return listValues(schema.enum);
  switch (schema.type) {
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    case "integer":
      return `a whole number${describeRange(schema.minimum, schema.maximum)}`;
    case "number":
      return `a number${describeRange(schema.minimum, schema.maximum)}`;
    case "string":
      return describeText(schema);
    case "array":
      return `a list${describeCount(schema)}${schema.items ? `, each ${describeExpected(schema.items)}` : ""}`;
    case "object":
      return describeObject(schema);
    default:
      return "a JSON value";
  }
}

function describeText(schema: ValueSchema): string {
  const known = schema["x-known-values"];
  if (known) return `a text such as ${joinNames(known)}`;
  const format = formats[schema.format ?? ""];
  if (format) return format;
  const { minLength = 0, maxLength } = schema;
  if (maxLength !== undefined) return `a text of ${minLength} to ${maxLength} characters`;
  return schema.pattern === undefined ? "a text" : `a text of the pattern ${schema.pattern}`;
}

function describeCount({ minItems = 0, maxItems }: ValueSchema): string {
  if (maxItems === undefined) return minItems > 0 ? ` of at least ${minItems}` : "";
  if (minItems === 0) return ` of at most ${maxItems}`;
  return minItems === maxItems ? ` of ${minItems}` : ` of ${minItems} to ${maxItems}`;
}

function describeObject({ properties = {}, required = [] }: ValueSchema): string {
  const names = Object.keys(properties);
  const [needed, others] = [required, names.filter((name) => !required.includes(name))];
  const parts = [
    ...(needed.length > 0 ? [`with ${joinNames(needed)}`] : []),
    ...(others.length > 0 ? [`${needed.length > 0 ? "and optionally" : "with any of"} ${joinNames(others)}`] : []),
  ];
  return ["an object", ...parts].join(" ");
}

function describeRange(minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY): string {
  const [hasMinimum, hasMaximum] = [minimum > Number.MIN_SAFE_INTEGER, maximum < Number.MAX_SAFE_INTEGER];
  if (hasMinimum && hasMaximum) return minimum === maximum ? ` that is ${minimum}` : ` from ${minimum} to ${maximum}`;
  if (hasMinimum) return ` of at least ${minimum}`;
  return hasMaximum ? ` of at most ${maximum}` : "";
}

const listValues = (values: readonly unknown[]): string =>
  values.length > 1 ? `one of ${joinNames(values)}` : String(values[0]);

function joinNames(values: readonly unknown[]): string {
  const more = values.length > MAX_LISTED ? ` and ${values.length - MAX_LISTED} more` : "";
  return values.slice(0, MAX_LISTED).map(String).join(", ") + more;
}

/**
 * The schema of the value at a path; undefined if the schema does not describe the path. An element of a list without a
 * description of its own has that of the list.
 */
export function schemaAt(schema: ValueSchema, path: readonly string[]): ValueSchema | undefined {
  return path.reduce<ValueSchema | undefined>((outer, name) => {
    const member = outer && memberOf(outer, name);
    const description = /^\d+$/.test(name) && outer ? descriptionOf(outer) : undefined;
    return member && description !== undefined ? { description, ...member } : member;
  }, schema);
}

/** The description of a schema; where it has none, that of its option. */
export const descriptionOf = ({ description, anyOf = [] }: ValueSchema): string | undefined =>
  description ?? anyOf.map((option) => option.description).find((one) => one !== undefined);

function memberOf(schema: ValueSchema, name: string): ValueSchema | undefined {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (items) return items;
  if (typeof additionalProperties === "object") return additionalProperties;
  return anyOf.map((option) => memberOf(option, name)).find((found) => found !== undefined);
}
