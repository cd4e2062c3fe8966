import { isJsonObject } from "../../domain/shared/json.ts";
import { StateFailure } from "./state-failure.ts";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** The documents that paths read: `$` is the state's input, `$$` the context object. */
export interface PathSources {
  readonly input: Json;
  readonly context: JsonObject;
}

type Segment = { readonly field: string } | { readonly index: number } | "every";

const SEGMENT = /\.([^\s.[\]*'"()?@$]+)|\[(\d+)\]|\['([^'\\]+)'\]|\[\*\]/y;

/**
 * Parses a path into its segments: `.name`, `['name']`, `[0]` and `[*]`.
 * @throws Error for any other operator (descent, slice, filter) and for intrinsic functions.
 */
function parseSegments(path: string): Segment[] {
  const start = path.startsWith("$$") ? 2 : 1;
  if (!path.startsWith("$")) throw new Error(`"${path}" is not a path; intrinsic functions are not supported locally`);
  const segments: Segment[] = [];
  SEGMENT.lastIndex = start;
  while (SEGMENT.lastIndex < path.length) {
    const [text, name, index, quoted] = SEGMENT.exec(path) ?? [];
    if (text === undefined) throw new Error(`the path "${path}" uses an operator that is not supported locally`);
    const field = name ?? quoted;
    if (field !== undefined) segments.push({ field });
    else segments.push(index === undefined ? "every" : { index: Number(index) });
  }
  return segments;
}

/** Validates a path. @returns the problem, or undefined. */
export function findPathProblem(path: string): string | undefined {
  try {
    parseSegments(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Validates a path to write to. Like {@link findPathProblem}; the path must also name a single place in the input. */
export function findReferencePathProblem(path: string): string | undefined {
  if (path.startsWith("$$") || path.includes("[*]")) return `"${path}" does not name a single place in the input`;
  return findPathProblem(path);
}

function child(value: Json, segment: Exclude<Segment, "every">): Json | undefined {
  if ("index" in segment) return Array.isArray(value) ? value[segment.index] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, segment.field) ? value[segment.field] : undefined;
}

function followSegments(value: Json, segments: Segment[]): Json | undefined {
  const [first, ...rest] = segments;
  if (first === undefined) return value;
  if (first !== "every") {
    const next = child(value, first);
    return next === undefined ? undefined : followSegments(next, rest);
  }
  const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return members.map((member) => followSegments(member, rest)).filter((found) => found !== undefined);
}

/** The value at a path, or undefined. A path with `[*]` returns a list of all matches. */
export function findAtPath(path: string, sources: PathSources): Json | undefined {
  return followSegments(path.startsWith("$$") ? sources.context : sources.input, parseSegments(path));
}

/** Like {@link findAtPath}, for a required value. @throws StateFailure States.Runtime when it is missing. */
export function readAtPath(path: string, sources: PathSources): Json {
  const value = findAtPath(path, sources);
  if (value === undefined) throw StateFailure.runtime(`The path '${path}' could not be found in the input`);
  return value;
}

function writeSegments(target: Json, [first, ...rest]: Segment[], value: Json): Json {
  if (first === undefined || first === "every") return value;
  if ("index" in first) {
    if (!Array.isArray(target) || first.index >= target.length) throw resultPathMismatch();
    return target.with(first.index, writeSegments(target[first.index] ?? {}, rest, value));
  }
  if (!isJsonObject(target)) throw resultPathMismatch();
  return { ...target, [first.field]: writeSegments(child(target, first) ?? {}, rest, value) };
}

function resultPathMismatch(): StateFailure {
  return new StateFailure("States.ResultPathMatchFailure", "The ResultPath cannot be applied to the state's input");
}

/** A copy of `target` with `value` at a reference path. Creates missing objects (States Language, "ResultPath"). */
export function writeAtPath(path: string, target: Json, value: Json): Json {
  return writeSegments(target, parseSegments(path), value);
}
