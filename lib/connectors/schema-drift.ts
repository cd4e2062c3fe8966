import stored from "../../data/connectors/documented-members.json" with { type: "json" };

/** How a response differs from the provider's documents. */
type DriftKind = "missing" | "new" | "type";

/** A member that differs from the provider's documents, by its name, never its value. */
export interface SchemaDrift {
  /** Names of the members from the response to the field, joined by dots; `*` for an element of a list. */
  readonly field: string;
  readonly kind: DriftKind;
}

/** What the documents of a provider state. */
interface DocumentedMembers {
  /** Names of all members of responses and pushes. */
  readonly members: readonly string[];
  /** By path of a response, or `push`: the members that are always present. */
  readonly always: Readonly<Record<string, readonly string[]>>;
}

const documented: Readonly<Record<string, DocumentedMembers>> = stored;

/** Elements of a list that are compared; the others have the same form. */
const MAX_ELEMENTS = 20;
const MAX_DEPTH = 12;
/** A member with any other name, such as a time or an id, is an entry of a map. Its name may be personal data. */
const MEMBER_NAME = /^[A-Za-z_$][\w$-]{0,63}$/;

/**
 * Finds members that a response lacks although they are documented as always present, and members that no document
 * names. @param place the path of the response's URL, or `push`.
 */
export function findSchemaDrift(provider: string, place: string, payload: unknown): SchemaDrift[] {
  const { members = [], always = {} } = documented[provider] ?? {};
  if (members.length === 0) return [];
  const known = new Set(members);
  const missing = (always[place] ?? []).filter((field) => isMissing(payload, field.split(".")));
  const fresh = new Set<string>();
  collectNewMembers(payload, known, fresh, [], MAX_DEPTH);
  return [
    ...missing.map((field) => ({ field, kind: "missing" as const })),
    ...[...fresh].map((field) => ({ field, kind: "new" as const })),
  ];
}

/** Normalizes the name of a field: `*` for indexes and for names that may be data. */
export const driftName = (field: string): string =>
  field
    .split(".")
    .map((name) => (MEMBER_NAME.test(name) ? name : "*"))
    .join(".");

/** Whether an object at a path lacks its last member. Absent lists and parents have nothing to lack. */
function isMissing(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === "*") return Array.isArray(value) && value.slice(0, MAX_ELEMENTS).some((one) => isMissing(one, rest));
  if (name === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const member: unknown = Reflect.get(value, name);
  return rest.length === 0 ? member === undefined : isMissing(member, rest);
}

function collectNewMembers(
  value: unknown,
  known: ReadonlySet<string>,
  found: Set<string>,
  path: readonly string[],
  depth: number,
): void {
  if (typeof value !== "object" || value === null || depth === 0) return;
  if (Array.isArray(value)) {
    for (const one of value.slice(0, MAX_ELEMENTS)) collectNewMembers(one, known, found, [...path, "*"], depth - 1);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const isMember = MEMBER_NAME.test(name);
    if (isMember && !known.has(name)) found.add([...path, name].join("."));
    // The members of a new member are new as well, and one name says enough.
    else collectNewMembers(inner, known, found, [...path, isMember ? name : "*"], depth - 1);
  }
}
