import { findPathProblem, type Json, type JsonObject, type PathSources, readAtPath, writeAtPath } from "./json-path.ts";

/** Applies `InputPath` or `OutputPath`. Undefined selects everything, null an empty object. */
export function applyPath(path: string | null | undefined, sources: PathSources): Json {
  if (path === null) return {};
  return path === undefined ? sources.input : readAtPath(path, sources);
}

/** Applies `ResultPath`. With undefined the result replaces the input, with null the result is discarded. */
export function applyResultPath(path: string | null | undefined, input: Json, result: Json): Json {
  if (path === null) return input;
  return path === undefined ? result : writeAtPath(path, input, result);
}

/** Fills a payload template: a key `"name.$"` becomes `"name"` with the value at its path. */
export function fillPayloadTemplate(template: Json, sources: PathSources): Json {
  if (Array.isArray(template)) return template.map((member) => fillPayloadTemplate(member, sources));
  if (typeof template !== "object" || template === null) return template;
  const filled: JsonObject = {};
  for (const [key, value] of Object.entries(template)) {
    if (key.endsWith(".$")) filled[key.slice(0, -2)] = readAtPath(String(value), sources);
    else filled[key] = fillPayloadTemplate(value, sources);
  }
  return filled;
}

/** Validates the paths of a payload template. @returns the first problem, or undefined. */
export function findTemplateProblem(template: Json): string | undefined {
  if (typeof template !== "object" || template === null) return undefined;
  for (const [key, value] of Object.entries(template)) {
    const problem = key.endsWith(".$") ? findPathProblem(String(value)) : findTemplateProblem(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
