import type * as z from "zod";
import { fieldName, isScalarList } from "./field-name.ts";
import type { DroppedField, Refusal } from "./refusal.ts";
import type { RejectionReason } from "./rejection-reasons.ts";

/** Which fields must not be dropped, and replacements for fields that responses always have. */
export interface DropRules {
  /** Whether a record is invalid without the value at a path. */
  readonly isEssential: (path: readonly PropertyKey[]) => boolean;
  /** Replacement values by required field. */
  readonly fallbacks?: Readonly<Record<string, unknown>>;
}

/** A valid value with its dropped fields, or why dropping fields cannot make it valid. */
type Outcome<S extends z.ZodType> =
  | { readonly data: z.output<S>; readonly dropped: readonly DroppedField[] }
  | { readonly refusal: Refusal };

/**
 * Maximum number of rounds. Each round drops one level higher than the previous one; records are less deep than this.
 */
const MAX_ROUNDS = 16;

/** The innermost value to drop for an issue. */
interface DropTarget {
  readonly path: readonly PropertyKey[];
  readonly issue: z.core.$ZodIssue;
}

/**
 * Parses JSON and drops invalid parts instead of rejecting everything: a field, an element of a list of objects, or a
 * whole list of scalars. Rejects the record if an essential part is invalid.
 * A null where none is allowed carries no information and is dropped without a report.
 */
export function dropBadFields<S extends z.ZodType>(schema: S, raw: unknown, rules: DropRules): Outcome<S> {
  let parsed = schema.safeParse(raw);
  if (parsed.success) return { data: parsed.data, dropped: [] };
  const given: unknown = structuredClone(raw);
  const origins: Origins = new WeakMap();
  const dropped = new Map<string, DroppedField>();
  for (let round = 0; round < MAX_ROUNDS && !parsed.success; round++) {
    const places: DropTarget[] = parsed.error.issues.map((issue) => ({
      issue,
      path: findDroppablePath(schema, given, issue.path),
    }));
    const bad = places.filter(({ path }) => valueAt(given, path) !== null || path.length === 0);
    const refused = bad.find(({ path }) => path.length === 0 || rules.isEssential(path));
    if (refused) return { refusal: toRefusal(schema, originalPath(given, refused.issue.path, origins), refused.issue) };
    for (const { path, issue } of bad)
      recordDropped(dropped, fieldName(schema, originalPath(given, path, origins)), issue);
    for (const { path } of places) removeAt(given, path, rules);
    for (const { path } of places) compactList(given, path.slice(0, -1), origins);
    parsed = schema.safeParse(given);
  }
  const [issue] = parsed.error?.issues ?? [];
  if (!parsed.success) return { refusal: toRefusal(schema, originalPath(given, issue!.path, origins), issue!) };
  return { data: parsed.data, dropped: [...dropped.values()] };
}

const toRefusal = (schema: z.ZodType, path: readonly PropertyKey[], issue: z.core.$ZodIssue): Refusal => ({
  field: path.length === 0 ? null : fieldName(schema, path),
  reason: toRejectionReason(issue),
});

/** Maps a schema issue to a rejection reason. */
export function toRejectionReason({ code, path }: z.core.$ZodIssue): RejectionReason {
  if (timeFields.test(String(path.at(-1)))) return "bad_time";
  return code === "too_small" || code === "too_big" ? "value_out_of_range" : "bad_field";
}

/** Whether a field of this name holds a time. */
export const isTimeField = (name: string): boolean => timeFields.test(name) && name !== "timezone_offset";

const timeFields =
  /^(?:date|calendar_date|timestamp|timezone_offset|cycle_end|(?:period|session|time|bedtime)_(?:start|stop|end))$/;

/** Placeholder for a removed list element until the list is compacted, so that the other indexes stay valid. */
const REMOVED = Symbol("gone");

/** Original indexes of the remaining elements, by compacted list. */
type Origins = WeakMap<unknown[], number[]>;

const isContainer = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === "object" && value !== null;

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isContainer(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/**
 * The path to drop for an issue: the invalid value, or its closest existing parent if the value is missing; for a list
 * of scalars, the whole list.
 */
function findDroppablePath(schema: z.ZodType, given: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  let place = path;
  while (place.length > 0 && valueAt(given, place) === undefined) place = place.slice(0, -1);
  const parent = place.slice(0, -1);
  return Array.isArray(valueAt(given, parent)) && isScalarList(schema, parent) ? parent : place;
}

function removeAt(given: unknown, path: readonly PropertyKey[], { fallbacks = {} }: DropRules): void {
  const parent = valueAt(given, path.slice(0, -1));
  const key = path.at(-1) as PropertyKey;
  if (Array.isArray(parent)) parent[Number(key)] = REMOVED;
  else if (path.length === 1 && Object.hasOwn(fallbacks, key) && isContainer(parent))
    parent[key] = fallbacks[String(key)];
  else if (isContainer(parent)) delete parent[key];
}

function compactList(given: unknown, path: readonly PropertyKey[], origins: Origins): void {
  const list = valueAt(given, path);
  if (!Array.isArray(list) || !list.includes(REMOVED)) return;
  const before = origins.get(list) ?? list.map((_, index) => index);
  const kept = before.filter((_, index) => list[index] !== REMOVED);
  list.splice(0, list.length, ...list.filter((one) => one !== REMOVED));
  origins.set(list, kept);
}

/** The path before elements of enclosing lists were dropped. */
function originalPath(given: unknown, path: readonly PropertyKey[], origins: Origins): PropertyKey[] {
  return path.map((key, depth) => {
    const list = valueAt(given, path.slice(0, depth));
    return Array.isArray(list) ? (origins.get(list)?.[Number(key)] ?? key) : key;
  });
}

/** Records a dropped field. A field dropped with its parent is no longer listed, but its reason is kept. */
function recordDropped(dropped: Map<string, DroppedField>, field: string, issue: z.core.$ZodIssue): void {
  const inner = [...dropped.values()].find((one) => one.field === field || one.field.startsWith(`${field}.`));
  for (const name of [...dropped.keys()]) if (name.startsWith(`${field}.`)) dropped.delete(name);
  dropped.set(field, { field, reason: inner?.reason ?? toRejectionReason(issue) });
}
