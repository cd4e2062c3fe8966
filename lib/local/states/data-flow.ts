import { type Json, type JsonObject, pathProblem, read, type Sources, write } from "./json-path.ts";

/** Applies `InputPath` or `OutputPath`. Undefined selects everything, null an empty object. */
export function select(path: string | null | undefined, sources: Sources): Json {
  if (path === null) return {};
  return path === undefined ? sources.input : read(path, sources);
}

/** Applies `ResultPath`. With undefined the result replaces the input, with null the result is discarded. */
export function place(path: string | null | undefined, input: Json, result: Json): Json {
  if (path === null) return input;
  return path === undefined ? result : write(path, input, result);
}

/** Fills a payload template: a key `"name.$"` becomes `"name"` with the value at its path. */
export function fill(template: Json, sources: Sources): Json {
  if (Array.isArray(template)) return template.map((member) => fill(member, sources));
  if (typeof template !== "object" || template === null) return template;
  const filled: JsonObject = {};
  for (const [key, value] of Object.entries(template)) {
    if (key.endsWith(".$")) filled[key.slice(0, -2)] = read(String(value), sources);
    else filled[key] = fill(value, sources);
  }
  return filled;
}

/** Validates the paths of a payload template. @returns the first problem, or undefined. */
export function templateProblem(template: Json): string | undefined {
  if (typeof template !== "object" || template === null) return undefined;
  for (const [key, value] of Object.entries(template)) {
    const problem = key.endsWith(".$") ? pathProblem(String(value)) : templateProblem(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
