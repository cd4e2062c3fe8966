import { type Field, parentOf, type Shape } from "./shape.ts";

/** The two sides of a format that may have different versions. */
interface Sides {
  readonly reader: Shape;
  readonly writer: Shape;
  /** Whether the reader may miss what its own version wrote optionally, and the other never writes. */
  readonly missesOptional?: boolean;
}

/** Lists what a reader of one version cannot read of a writer of another one: the field, and the rule that it breaks. */
export function findIncompatibilities({ reader, writer, missesOptional = false }: Sides): string[] {
  const has = (path: string) => path === "" || writer.fields[path] !== undefined;
  const missing = Object.entries(reader.fields).flatMap(([path, field]) => {
    if (!has(parentOf(path))) return [];
    const written = writer.fields[path] ?? writer.fields[anyMember(path)];
    if (field.required && written === undefined) return [`${path}: the reader requires it, and the writer lacks it`];
    if (field.required && written?.required === false)
      return [`${path}: the reader requires it, and the writer does not always write it`];
    if (missesOptional && written === undefined) return [`${path}: the reader uses it, and the writer lacks it`];
    return [];
  });
  const written = Object.entries(writer.fields).flatMap(([path, field]) => {
    const known = reader.fields[path] ?? reader.fields[anyMember(path)];
    if (known === undefined)
      return reader.closed.includes(parentOf(path)) ? [`${path}: the reader refuses unknown fields`] : [];
    const strange = field.types.filter((type) => !accepts(known, type));
    return strange.length > 0 ? [`${path}: the reader does not accept ${strange.join(", ")}`] : [];
  });
  return [...missing, ...written].toSorted();
}

const anyMember = (path: string): string => path.replace(/[^.[\]]+$/, "*");

/** Whether a field accepts a type or literal. */
function accepts({ types }: Field, type: string): boolean {
  if (types.includes("any") || types.includes(type)) return true;
  if (type === "integer") return types.includes("number");
  if (type === "any") return false;
  return isLiteral(type) && types.includes(typeof JSON.parse(type));
}

const isLiteral = (type: string): boolean => /^("|-?\d|true|false)/.test(type);
