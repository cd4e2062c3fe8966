import type { NamedPayload } from "./published-payload.ts";

type Path = readonly (string | number)[];

/** One change of a payload, as a provider might make it without notice. */
export interface DriftMutation {
  /** `drop`, `null`, `rename`, `unknown`, or the type or size that the value gets. */
  readonly kind: string;
  /** Where the change is, in the replies or in the push. */
  readonly path: Path;
  readonly payload: NamedPayload;
  readonly original: NamedPayload;
}

/** Lists every change of every member of a payload. Responses with a status of their own stay. */
export function listMutations(payload: NamedPayload): DriftMutation[] {
  return [...memberPaths(rootOf(payload), [])].flatMap((path) =>
    Object.entries(changesOf(valueAt(rootOf(payload), path))).map(([kind, change]) => ({
      kind,
      path,
      original: payload,
      payload: changed(payload, (root) => change(parentAt(root, path), String(path.at(-1)))),
    })),
  );
}

/** The payload without the record that contains a path; undefined if no list contains it. */
export function withoutRecord(payload: NamedPayload, path: Path): NamedPayload | undefined {
  const place = path.findIndex((key) => typeof key === "number");
  if (place < 0) return undefined;
  return changed(
    payload,
    (root) => void (valueAt(root, path.slice(0, place)) as unknown[]).splice(Number(path[place]), 1),
  );
}

type Container = Record<string | number, unknown>;
type Change = (parent: Container, name: string) => void;

const set =
  (value: unknown): Change =>
  (parent, name) => {
    parent[name] = value;
  };

function changesOf(value: unknown): Record<string, Change> {
  const drop: Change = (parent, name) => void delete parent[name];
  const rename: Change = (parent, name) => {
    parent[`${name}_new`] = parent[name];
    delete parent[name];
  };
  const unknown: Change = (parent) =>
    Object.assign(parent, { future_member: { of: 1 }, futureList: [{ of: 1 }], future: null });
  const common = { drop, rename, unknown, ...(value === null ? {} : { null: set(null) }) };
  if (typeof value === "number")
    return {
      ...common,
      "as text": set(String(value)),
      "as list": set([value]),
      huge: set(1e18),
      negative: set(-Math.abs(value) - 1),
    };
  if (typeof value === "string")
    return {
      ...common,
      "as number": set(Number.isNaN(Number(value)) || value === "" ? 7 : Number(value)),
      "as object": set({ value }),
      "other text": set("?"),
    };
  if (typeof value === "boolean") return { ...common, "as text": set(String(value)) };
  if (Array.isArray(value)) return { ...common, "as text": set("?"), "as object": set({ of: 1 }) };
  return value === null ? common : { ...common, "as list": set([value]), "as text": set("?") };
}

function* memberPaths(value: unknown, path: Path): Generator<Path> {
  if (Array.isArray(value)) for (const [place, one] of value.entries()) yield* memberPaths(one, [...path, place]);
  else if (typeof value === "object" && value !== null && !("$status" in value))
    for (const [name, one] of Object.entries(value)) {
      // The first member of a path is the path of the request.
      if (path.length > 0 || !name.startsWith("/")) yield [...path, name];
      yield* memberPaths(one, [...path, name]);
    }
}

const rootOf = ({ push, replies = {} }: NamedPayload): unknown => (push === undefined ? replies : push);
const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Container)[key], root);
const parentAt = (root: unknown, path: Path) => valueAt(root, path.slice(0, -1)) as Container;

function changed(payload: NamedPayload, change: (root: unknown) => void): NamedPayload {
  const copy = structuredClone(payload);
  change(rootOf(copy));
  return copy;
}
