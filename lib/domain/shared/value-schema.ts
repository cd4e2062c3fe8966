import type * as z from "zod";

/** What a schema allows, as the part of JSON Schema that words are made of. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ValueSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: ValueSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly "x-known-values"?: readonly string[];
}

/** Names of formats in JSON Schema where zod names them differently. */
const formats: Readonly<Record<string, string>> = { datetime: "date-time", guid: "uuid", url: "uri" };

/**
 * Reads the input side of a schema. Functions cannot use `z.toJSONSchema`: the build leaves it out, because it is large.
 * Schemas that it does not know have no type.
 */
export function toValueSchema(schema: z.core.$ZodType): ValueSchema {
  const { description, ...meta } = (schema as z.ZodType).meta() ?? {};
  const known = meta["x-known-values"];
  return {
    ...readType(schema),
    ...(description === undefined ? {} : { description }),
    ...(Array.isArray(known) ? { "x-known-values": known } : {}),
  };
}

function readType(schema: z.core.$ZodType): ValueSchema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return readObject(def);
    case "array":
      return { type: "array", ...limitsOf(schema, "minItems", "maxItems"), items: toValueSchema(def.element) };
    case "record":
      return { type: "object", additionalProperties: toValueSchema(def.valueType) };
    case "union":
      return { anyOf: def.options.map(toValueSchema) };
    case "nullable":
      return { anyOf: [toValueSchema(def.innerType), { type: "null" }] };
    case "optional":
    case "default":
    case "prefault":
      return toValueSchema(def.innerType);
    case "pipe":
      return toValueSchema(def.in);
    case "enum":
      return { enum: Object.values(def.entries) };
    case "literal":
      return def.values.length > 1 ? { enum: def.values } : { const: def.values[0] };
    case "number":
      return { type: "format" in def ? "integer" : "number", ...limitsOf(schema, "minimum", "maximum") };
    case "string":
      return readText(schema);
    case "boolean":
    case "null":
      return { type: def.type };
    default:
      return {};
  }
}

function readObject({ shape }: z.core.$ZodObjectDef): ValueSchema {
  const members = Object.entries(shape);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, member]) => [name, toValueSchema(member)])),
    required: members.filter(([, member]) => member._zod.optin === undefined).map(([name]) => name),
  };
}

/** The limits of a value or of its length, and the pattern of a text, as the checks of a schema state them. */
function readLimits({ _zod }: z.core.$ZodType): { min?: number; max?: number; pattern?: RegExp } {
  const checks = (_zod.def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);
  return Object.assign({}, ...checks.map(readLimit));
}

function readLimit(check: z.core.$ZodChecks["_zod"]["def"]): object {
  switch (check.check) {
    case "greater_than":
      return { min: check.value };
    case "less_than":
      return { max: check.value };
    case "min_length":
      return { min: check.minimum };
    case "max_length":
      return { max: check.maximum };
    case "length_equals":
      return { min: check.length, max: check.length };
    case "string_format":
      return { pattern: check.pattern };
    default:
      return {};
  }
}

function readText(schema: z.core.$ZodType): ValueSchema {
  const { pattern } = readLimits(schema);
  const { format } = schema._zod.def as { format?: string };
  return {
    type: "string",
    ...limitsOf(schema, "minLength", "maxLength"),
    ...(format === undefined ? {} : { format: formats[format] ?? format }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  };
}

/** The limits under their names in JSON Schema. */
function limitsOf(schema: z.core.$ZodType, minimum: string, maximum: string): ValueSchema {
  const { min, max } = readLimits(schema);
  return { ...(min === undefined ? {} : { [minimum]: min }), ...(max === undefined ? {} : { [maximum]: max }) };
}
