import * as z from "zod";
import { joinShapes, memberOf, type Shape } from "./shape.ts";

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
}

/** @param io `input` for what a reader accepts, `output` for what a writer makes. */
export function shapeOfSchema(schema: z.ZodType, io: "input" | "output"): Shape {
  const made = z.toJSONSchema(schema, { io, unrepresentable: "any", cycles: "ref" }) as JsonSchema;
  return new SchemaReader(made).read(made, "", true, []);
}

/** Reads the fields of a JSON schema by path. */
class SchemaReader {
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** @param refs references that lead to the schema; a recursive one is read once. */
  read(schema: JsonSchema, path: string, required: boolean, refs: readonly string[]): Shape {
    const { $ref } = schema;
    if ($ref !== undefined) {
      const target = this.#root.$defs?.[$ref.replace("#/$defs/", "")];
      if (target === undefined || refs.includes($ref)) return single(path, ["any"], required);
      return this.read(target, path, required, [...refs, $ref]);
    }
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return joinShapes(alternatives.map((one) => this.read(one, path, required, refs)));
    if (schema.allOf) return mergeShapes(schema.allOf.map((one) => this.read(one, path, required, refs)));
    return mergeShapes([single(path, typesOf(schema), required), ...this.#members(schema, path, refs)]);
  }

  #members(schema: JsonSchema, path: string, refs: readonly string[]): Shape[] {
    const { properties = {}, required = [], additionalProperties, items, prefixItems = [] } = schema;
    const elements = [...prefixItems, ...(typeof items === "object" ? [items] : [])];
    const rest = typeof additionalProperties === "object" ? [additionalProperties] : [];
    return [
      ...Object.entries(properties).map(([name, one]) =>
        this.read(one, memberOf(path, name), required.includes(name), refs),
      ),
      ...rest.map((one) => this.read(one, memberOf(path, "*"), false, refs)),
      ...(elements.length > 0 ? [joinShapes(elements.map((one) => this.read(one, `${path}[]`, false, refs)))] : []),
      ...(additionalProperties === false ? [{ fields: {}, closed: [path] }] : []),
    ];
  }
}

const single = (path: string, types: readonly string[], required: boolean): Shape => ({
  fields: path === "" ? {} : { [path]: { types, required } },
  closed: [],
});

/** Puts shapes of different paths together. */
const mergeShapes = (shapes: readonly Shape[]): Shape => ({
  fields: Object.assign({}, ...shapes.map(({ fields }) => fields)),
  closed: shapes.flatMap(({ closed }) => closed),
});

function typesOf(schema: JsonSchema): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).toSorted();
  if (schema.type === undefined) return ["any"];
  return typeof schema.type === "string" ? [schema.type] : [...schema.type].toSorted();
}
