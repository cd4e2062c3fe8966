import { isJsonObject } from "../../domain/shared/json.ts";

const STEP = /\.([\w\-/]+)|\[(\d+|\*)\]|\.(\*)/y;

/**
 * Parses a path such as `$.detail.items[0].id` into its steps: field names, array indices and `*`.
 * Source: EventBridge User Guide, "Input transformation" (the part of JSONPath that EventBridge supports).
 *
 * @throws Error for any other syntax.
 */
export function parseJsonPath(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  let at = 1;
  while (path.startsWith("$") && at < path.length) {
    STEP.lastIndex = at;
    const [whole, field, index] = STEP.exec(path) ?? [];
    if (!whole) break;
    steps.push(field ?? (index && index !== "*" ? Number(index) : "*"));
    at += whole.length;
  }
  if (at !== path.length) throw new Error(`JSON path ${path} is not supported by EventBridge`);
  return steps;
}

/** The value at a path, or undefined. A path with a wildcard returns a list of values. */
export function valueAt(path: string, document: unknown): unknown {
  const steps = parseJsonPath(path);
  let found = [document];
  for (const step of steps) found = found.flatMap((value) => children(value, step));
  return steps.includes("*") ? found : found[0];
}

function children(value: unknown, step: string | number): unknown[] {
  if (step === "*") return isJsonObject(value) || Array.isArray(value) ? Object.values(value) : [];
  const holder = typeof step === "number" ? Array.isArray(value) : isJsonObject(value);
  return holder && Object.hasOwn(Object(value), step) ? [Reflect.get(Object(value), step)] : [];
}
