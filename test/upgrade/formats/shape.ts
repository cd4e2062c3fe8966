/** A field of a format: its JSON types and literals, and whether its object always has it. */
export interface Field {
  /** JSON types (`string`, `integer`, `null` ...), and literals as JSON, for example `"created"`. */
  readonly types: readonly string[];
  readonly required: boolean;
}

/** What one kind of message, item or event consists of. */
export interface Shape {
  /** Fields by path: `content.inline`, `days[]` for elements of a list, `stores.*` for values of a map. */
  readonly fields: Readonly<Record<string, Field>>;
  /** Paths of objects that refuse unknown fields; the whole has the path "". */
  readonly closed: readonly string[];
}

/** The path of the object, list or map that a path is in. */
export const parentOf = (path: string): string => path.replace(/(\[\]|\.?[^.[\]]+)$/, "");
/** The path of a member of an object or map. */
export const memberOf = (parent: string, name: string): string => (parent === "" ? name : `${parent}.${name}`);

/** Joins the shapes of alternatives: a field is required only where each alternative with its parent requires it. */
export function joinShapes(shapes: readonly Shape[]): Shape {
  const fields: Record<string, Field> = {};
  for (const path of new Set(shapes.flatMap((shape) => Object.keys(shape.fields)))) {
    const withParent = shapes.filter((shape) => hasObject(shape, parentOf(path)));
    const found = shapes.flatMap((shape) => shape.fields[path] ?? []);
    fields[path] = {
      types: [...new Set(found.flatMap(({ types }) => types))].toSorted(),
      required: found.length === withParent.length && found.every(({ required }) => required),
    };
  }
  const open = (path: string) => shapes.some((shape) => hasObject(shape, path) && !shape.closed.includes(path));
  const closed = [...new Set(shapes.flatMap((shape) => shape.closed))].filter((path) => !open(path));
  return { fields, closed: closed.toSorted() };
}

/** Whether a shape has an object, list or map at a path. */
function hasObject({ fields }: Shape, path: string): boolean {
  return path === "" || fields[path]?.types.some((type) => ["object", "array"].includes(type)) === true;
}
