import { isJsonObject } from "../../domain/shared/json.ts";
import { type FieldCondition, PatternError, parseCondition } from "./operators.ts";

/** One field of a pattern. At least one of its conditions must hold. */
interface FieldRule {
  path: string;
  conditions: FieldCondition[];
}

/** A scalar of an event with its index in each enclosing array (array number -> index). */
interface Leaf {
  value: unknown;
  positions: ReadonlyMap<number, number>;
}

/** Maximum number of combinations of the `$or` branches of a rule in EventBridge. */
const MAX_COMBINATIONS = 1000;

/**
 * Whether an event matches an event pattern (both as parsed JSON).
 * Source: EventBridge User Guide, "Creating event patterns"; aws/event-ruler README for arrays.
 *
 * @throws PatternError when the pattern is invalid.
 * @example matchesPattern({ detail: { state: [{ "anything-but": "idle" }] } }, { detail: { state: "busy" } }) // true
 */
export function matchesPattern(pattern: unknown, event: unknown): boolean {
  return compilePattern(pattern)(event);
}

/**
 * Validates a pattern.
 *
 * @throws PatternError with the path, for example `detail.state[0]: unknown operator "prefx"`.
 */
export function validatePattern(pattern: unknown): void {
  compilePattern(pattern);
}

/** Compiles a pattern to a function that matches events. @throws PatternError when the pattern is invalid. */
export function compilePattern(pattern: unknown): (event: unknown) => boolean {
  const combinations = expandCombinations(pattern, "");
  return (event) => {
    const leaves = new Map<string, Leaf[]>();
    collectLeaves(event, "", new Map(), leaves);
    return combinations.some((rules) => allRulesHold(rules, leaves, new Map()));
  };
}

/** Expands every `$or` below `pattern`. The pattern matches when all rules of one combination hold. */
function expandCombinations(pattern: unknown, path: string): FieldRule[][] {
  if (!isJsonObject(pattern)) throw new PatternError(path, "must be an object");
  if (Object.keys(pattern).length === 0) throw new PatternError(path, "an empty object is not allowed");
  let combinations: FieldRule[][] = [[]];
  for (const [key, value] of Object.entries(pattern)) {
    const here = join(path, key);
    const choices = key === "$or" ? orAlternatives(value, path) : fieldAlternatives(value, here);
    combinations = combinations.flatMap((rules) => choices.map((choice) => [...rules, ...choice]));
    if (combinations.length > MAX_COMBINATIONS) throw new PatternError(here, "too many combinations of $or");
  }
  return combinations;
}

function fieldAlternatives(value: unknown, path: string): FieldRule[][] {
  if (isJsonObject(value)) return expandCombinations(value, path);
  if (!Array.isArray(value)) throw new PatternError(path, "must be an object or an array");
  if (value.length === 0) throw new PatternError(path, "an empty array is not allowed");
  return [[{ path, conditions: value.map((raw, at) => parseCondition(raw, `${path}[${at}]`)) }]];
}

function orAlternatives(value: unknown, path: string): FieldRule[][] {
  if (!Array.isArray(value) || value.length < 2) {
    throw new PatternError(join(path, "$or"), "must be an array of at least two objects");
  }
  return value.flatMap((branch) => expandCombinations(branch, path));
}

/** Collects the event's scalars by path. Array indices are not part of the path. */
function collectLeaves(
  value: unknown,
  path: string,
  positions: ReadonlyMap<number, number>,
  leaves: Map<string, Leaf[]>,
  arrays = { seen: 0 },
): void {
  if (Array.isArray(value)) {
    const array = arrays.seen++;
    for (const [at, item] of value.entries()) {
      collectLeaves(item, path, new Map(positions).set(array, at), leaves, arrays);
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) collectLeaves(item, join(path, key), positions, leaves, arrays);
  } else {
    const siblings = leaves.get(path);
    if (siblings) siblings.push({ value, positions });
    else leaves.set(path, [{ value, positions }]);
  }
}

/** Whether all rules hold with leaves that share the same element of every array. */
function allRulesHold(
  rules: readonly FieldRule[],
  leaves: ReadonlyMap<string, Leaf[]>,
  chosen: ReadonlyMap<number, number>,
): boolean {
  const [rule, ...rest] = rules;
  if (!rule) return true;
  const candidates = leaves.get(rule.path);
  if (!candidates) {
    return rule.conditions.some((condition) => condition.kind === "absent") && allRulesHold(rest, leaves, chosen);
  }
  return candidates.some((leaf) => {
    const fits = rule.conditions.some((condition) => condition.kind === "value" && condition.test(leaf.value));
    return fits && isConsistent(leaf, chosen) && allRulesHold(rest, leaves, new Map([...chosen, ...leaf.positions]));
  });
}

function isConsistent(leaf: Leaf, chosen: ReadonlyMap<number, number>): boolean {
  return [...leaf.positions].every(([array, at]) => (chosen.get(array) ?? at) === at);
}

function join(path: string, key: string): string {
  return path ? `${path}.${key}` : key;
}
