import type * as z from "zod";
import type { DroppedField } from "./dropped-field.ts";
import { fieldName, isPlainList } from "./field-name.ts";
import type { RejectionReason } from "./timeseries/acceptance.ts";

/** What must not be dropped, and what stands in for a field that answers always have. */
export interface DropRules {
  /** Whether a record can not be without what lies at a path. */
  readonly isEssential: (path: readonly PropertyKey[]) => boolean;
  /** By name of a required field. */
  readonly fallbacks?: Readonly<Record<string, unknown>>;
}

/** A value that fits its schema, and what was dropped for that; or the issue for which nothing can be dropped. */
type Outcome<S extends z.ZodType> =
  | { readonly data: z.output<S>; readonly dropped: readonly DroppedField[] }
  | { readonly issue: z.core.$ZodIssue };

/** Each round drops something one level higher than the round before; records are less deep than this. */
const MOST_ROUNDS = 16;
const LONGEST_DETAIL = 160;

/** What is dropped where: the innermost thing that the schema can do without. */
interface Place {
  readonly path: readonly PropertyKey[];
  readonly issue: z.core.$ZodIssue;
}

/**
 * Parses JSON and drops what does not fit instead of refusing all of it: a bad field, an element of a list of objects,
 * a whole list of single values. What is refused by the rules, or is nothing without what is bad, is refused whole.
 * A null where there may be none says nothing, and is dropped without a word.
 */
export function dropBadFields<S extends z.ZodType>(schema: S, raw: unknown, rules: DropRules): Outcome<S> {
  let parsed = schema.safeParse(raw);
  if (parsed.success) return { data: parsed.data, dropped: [] };
  const given: unknown = structuredClone(raw);
  const origins: Origins = new WeakMap();
  const dropped = new Map<string, DroppedField>();
  for (let round = 0; round < MOST_ROUNDS && !parsed.success; round++) {
    const places: Place[] = parsed.error.issues.map((issue) => ({ issue, path: placeOf(schema, given, issue.path) }));
    const bad = places.filter(({ path }) => at(given, path) !== null || path.length === 0);
    const refused = bad.find(({ path }) => path.length === 0 || rules.isEssential(path));
    if (refused) return { issue: refused.issue };
    for (const { path, issue } of bad) note(dropped, fieldName(schema, originalPath(given, path, origins)), issue);
    for (const { path } of places) drop(given, path, rules);
    for (const { path } of places) compact(given, path.slice(0, -1), origins);
    parsed = schema.safeParse(given);
  }
  if (!parsed.success) return { issue: parsed.error.issues[0] as z.core.$ZodIssue };
  return { data: parsed.data, dropped: [...dropped.values()] };
}

/** Why the schema did not take something. */
export function reasonOf({ code, path }: z.core.$ZodIssue): RejectionReason {
  if (timeFields.test(String(path.at(-1)))) return "bad_time";
  return code === "too_small" || code === "too_big" ? "value_out_of_range" : "bad_field";
}

/** Whether a field of this name tells when something was. */
export const isTimeField = (name: string): boolean => timeFields.test(name) && name !== "timezone_offset";

const timeFields =
  /^(?:date|calendar_date|timestamp|timezone_offset|cycle_end|(?:period|session|time|bedtime)_(?:start|stop|end))$/;

/** Stands where an element of a list was until the list is compacted, so that places of others stay as they are. */
const GONE = Symbol("gone");

/** For a list that lost elements, the place that each of the others had at first. */
type Origins = WeakMap<unknown[], number[]>;

const isContainer = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === "object" && value !== null;

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isContainer(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** What to drop for an issue: what it is about, or where that is missing, what lacks it; no single value of a list. */
function placeOf(schema: z.ZodType, given: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  let place = path;
  while (place.length > 0 && at(given, place) === undefined) place = place.slice(0, -1);
  const parent = place.slice(0, -1);
  return Array.isArray(at(given, parent)) && isPlainList(schema, parent) ? parent : place;
}

function drop(given: unknown, path: readonly PropertyKey[], { fallbacks = {} }: DropRules): void {
  const parent = at(given, path.slice(0, -1));
  const key = path.at(-1) as PropertyKey;
  if (Array.isArray(parent)) parent[Number(key)] = GONE;
  else if (path.length === 1 && Object.hasOwn(fallbacks, key) && isContainer(parent))
    parent[key] = fallbacks[String(key)];
  else if (isContainer(parent)) delete parent[key];
}

function compact(given: unknown, path: readonly PropertyKey[], origins: Origins): void {
  const list = at(given, path);
  if (!Array.isArray(list) || !list.includes(GONE)) return;
  const before = origins.get(list) ?? list.map((_, index) => index);
  const kept = before.filter((_, index) => list[index] !== GONE);
  list.splice(0, list.length, ...list.filter((one) => one !== GONE));
  origins.set(list, kept);
}

/** The path that a place had before elements of lists above it were dropped. */
function originalPath(given: unknown, path: readonly PropertyKey[], origins: Origins): PropertyKey[] {
  return path.map((key, depth) => {
    const list = at(given, path.slice(0, depth));
    return Array.isArray(list) ? (origins.get(list)?.[Number(key)] ?? key) : key;
  });
}

/** What is dropped with something around it is not named by itself, but keeps telling why. */
function note(dropped: Map<string, DroppedField>, field: string, issue: z.core.$ZodIssue): void {
  const inner = [...dropped.values()].find((one) => one.field === field || one.field.startsWith(`${field}.`));
  for (const name of [...dropped.keys()]) if (name.startsWith(`${field}.`)) dropped.delete(name);
  const why = inner ?? { reason: reasonOf(issue), detail: issue.message.slice(0, LONGEST_DETAIL) };
  dropped.set(field, { field, reason: why.reason, detail: why.detail });
}
