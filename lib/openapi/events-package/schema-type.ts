import type { OpenApiObject } from "../component-schema.ts";

/** The subset of JSON Schema that payloads of events use. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly "x-known-values"?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
}

const primitives: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** Returns the TypeScript type of a schema. References name a type of the component's id. */
export function toTypeText(given: OpenApiObject): string {
  const schema = given as Schema;
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const known = schema["x-known-values"];
  // The service may send further values: known ones complete in an editor, and any text is valid.
  if (known) return union([...known.map((value) => JSON.stringify(value)), "(string & {})"]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((one) => toTypeText(one as OpenApiObject)));
  if (schema.allOf) return schema.allOf.map((one) => toTypeText(one as OpenApiObject)).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? "unknown" : union(types.map((type) => typeText(type, schema)));
}

const union = (texts: readonly string[]): string =>
  [...new Set(texts)].map((text) => (text.includes(" & ") && !text.startsWith("(") ? `(${text})` : text)).join(" | ");

function typeText(type: string, schema: Schema): string {
  if (type === "array") return arrayText(schema);
  if (type === "object") return objectText(schema);
  return primitives[type] ?? "unknown";
}

function arrayText({ prefixItems, items }: Schema): string {
  if (prefixItems) return `[${prefixItems.map((one) => toTypeText(one as OpenApiObject)).join(", ")}]`;
  return `Array<${items ? toTypeText(items as OpenApiObject) : "unknown"}>`;
}

function objectText({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values =
      typeof additionalProperties === "object" ? toTypeText(additionalProperties as OpenApiObject) : "unknown";
    return `{ [name: string]: ${values} }`;
  }
  // Components have undefined keywords, which their JSON text lacks.
  const present = Object.entries(properties).filter(([, field]) => field !== undefined);
  const fields = present.map(([name, field]) => {
    const comment = field.description ? `/** ${field.description.replaceAll("*/", "* /")} */ ` : "";
    return `${comment}${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${toTypeText(field as OpenApiObject)};`;
  });
  return `{\n  ${fields.join("\n  ")}\n}`;
}
