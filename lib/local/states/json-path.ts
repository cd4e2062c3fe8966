import { StateFailure } from "./state-failure.ts";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** What paths read: `$` is the state's input, `$$` the context object. */
export interface Sources {
  readonly input: Json;
  readonly context: JsonObject;
}

type Segment = { readonly field: string } | { readonly index: number } | "every";

const SEGMENT = /\.([^\s.[\]*'"()?@$]+)|\[(\d+)\]|\['([^'\\]+)'\]|\[\*\]/y;

/** Whether a value is a JSON object: neither null nor a list nor a scalar. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Splits a path into its segments. Known are `.name`, `['name']`, `[0]` and `[*]`.
 * @throws Error for every other operator (descent, slice, filter) and for intrinsic functions.
 */
function segmentsOf(path: string): Segment[] {
  const start = path.startsWith("$$") ? 2 : 1;
  if (!path.startsWith("$")) throw new Error(`"${path}" is not a path; intrinsic functions are not run locally`);
  const segments: Segment[] = [];
  SEGMENT.lastIndex = start;
  while (SEGMENT.lastIndex < path.length) {
    const [text, name, index, quoted] = SEGMENT.exec(path) ?? [];
    if (text === undefined) throw new Error(`the path "${path}" uses an operator that is not run locally`);
    const field = name ?? quoted;
    if (field !== undefined) segments.push({ field });
    else segments.push(index === undefined ? "every" : { index: Number(index) });
  }
  return segments;
}

/** Checks a path when a definition is loaded: undefined, or what is wrong with it. */
export function pathProblem(path: string): string | undefined {
  try {
    segmentsOf(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Checks a path that is written to: like {@link pathProblem}, and it must name one place inside the input. */
export function referencePathProblem(path: string): string | undefined {
  if (path.startsWith("$$") || path.includes("[*]")) return `"${path}" does not name one place in the input`;
  return pathProblem(path);
}

function child(value: Json, segment: Exclude<Segment, "every">): Json | undefined {
  if ("index" in segment) return Array.isArray(value) ? value[segment.index] : undefined;
  return isObject(value) && Object.hasOwn(value, segment.field) ? value[segment.field] : undefined;
}

function walk(value: Json, segments: Segment[]): Json | undefined {
  const [first, ...rest] = segments;
  if (first === undefined) return value;
  if (first !== "every") {
    const next = child(value, first);
    return next === undefined ? undefined : walk(next, rest);
  }
  const members = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.map((member) => walk(member, rest)).filter((found) => found !== undefined);
}

/** What a path leads to, or undefined where there is nothing. A path with `[*]` answers the list of all it finds. */
export function find(path: string, sources: Sources): Json | undefined {
  return walk(path.startsWith("$$") ? sources.context : sources.input, segmentsOf(path));
}

/** Like {@link find}, for a value that must be there. @throws StateFailure States.Runtime when it is not. */
export function read(path: string, sources: Sources): Json {
  const value = find(path, sources);
  if (value === undefined) throw StateFailure.runtime(`The path '${path}' could not be found in the input`);
  return value;
}

function put(target: Json, [first, ...rest]: Segment[], value: Json): Json {
  if (first === undefined || first === "every") return value;
  if ("index" in first) {
    if (!Array.isArray(target) || first.index >= target.length) throw unplaceable();
    return target.with(first.index, put(target[first.index] ?? {}, rest, value));
  }
  if (!isObject(target)) throw unplaceable();
  return { ...target, [first.field]: put(child(target, first) ?? {}, rest, value) };
}

function unplaceable(): StateFailure {
  return new StateFailure("States.ResultPathMatchFailure", "The ResultPath cannot be applied to the state's input");
}

/** A copy of `target` with `value` at a reference path, whose missing objects are made (States Language, "ResultPath"). */
export function write(path: string, target: Json, value: Json): Json {
  return put(target, segmentsOf(path), value);
}
