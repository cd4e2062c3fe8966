import { joinShapes, memberOf, type Shape } from "./shape.ts";

/** Names of fields. Other member names are data (dates, ids), so their object is a map. */
const FIELD_NAME = /^[a-z][a-zA-Z_]*\d?$/;
/** Maps whose member names look like names of fields: resources. Which of them a run writes depends on its date. */
const MAPS = new Set(["unpushed"]);

/** Infers the shape of a kind from its values. Every value has the fields that are required. */
export const inferShape = (values: readonly unknown[]): Shape => joinShapes(values.map((value) => shapeOf(value, "")));

function shapeOf(value: unknown, path: string): Shape {
  const own: Shape = { fields: path === "" ? {} : { [path]: { types: [typeOf(value)], required: true } }, closed: [] };
  if (Array.isArray(value)) {
    const elements = joinShapes(value.map((one) => shapeOf(one, `${path}[]`)));
    return { ...own, fields: { ...own.fields, ...optional(elements, `${path}[]`) } };
  }
  if (!isPlainObject(value)) return own;
  const isMap = MAPS.has(path) || Object.keys(value).some((name) => !FIELD_NAME.test(name));
  const members = Object.entries(value).map(([name, one]) => shapeOf(one, memberOf(path, isMap ? "*" : name)));
  const joined = isMap ? joinShapes(members).fields : Object.assign({}, ...members.map(({ fields }) => fields));
  return { ...own, fields: { ...own.fields, ...(isMap ? optional({ fields: joined }, memberOf(path, "*")) : joined) } };
}

/** A list or map may be empty, so it need not have an element. */
function optional({ fields }: Pick<Shape, "fields">, path: string): Shape["fields"] {
  const element = fields[path];
  return element ? { ...fields, [path]: { ...element, required: false } } : fields;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof Uint8Array) return "binary";
  if (value instanceof Set) return "set";
  return typeof value;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === "object";
