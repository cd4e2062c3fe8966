import { BlockList, isIP } from "node:net";
import { isJsonObject, type JsonObject } from "../../domain/shared/json.ts";

/** Tests whether a leaf value of an event (string, number, boolean or null) meets a condition. */
type ValueTest = (value: unknown) => boolean;

/** One alternative in a pattern's array: a test of the value, or the requirement that the field is absent. */
export type FieldCondition = { kind: "value"; test: ValueTest } | { kind: "absent" };

/** A pattern that EventBridge rejects. The message starts with the path in the pattern. */
export class PatternError extends Error {
  override name = "PatternError";

  constructor(path: string, reason: string) {
    super(`${path || "pattern"}: ${reason}`);
  }
}

type Operator = (operand: unknown, path: string) => ValueTest;

/** AWS documents numeric matching for -5.0e9 to 5.0e9 only. */
const NUMERIC_LIMIT = 5e9;

/**
 * Parses one element of a pattern's array: a literal, or an object with exactly one comparison operator.
 * Source: EventBridge User Guide, "Comparison operators for use in event patterns".
 *
 * @throws PatternError for anything that EventBridge rejects.
 */
export function parseCondition(raw: unknown, path: string): FieldCondition {
  if (Array.isArray(raw)) throw new PatternError(path, "an array inside an array is not allowed");
  if (!isJsonObject(raw)) return { kind: "value", test: (value) => value === raw };
  const [name, operand] = singleEntry(raw, path);
  if (name === "exists") {
    if (typeof operand !== "boolean") throw new PatternError(path, "exists takes true or false");
    return operand ? { kind: "value", test: () => true } : { kind: "absent" };
  }
  const operator = OPERATORS.get(name);
  if (!operator) throw new PatternError(path, `unknown operator "${name}"`);
  return { kind: "value", test: operator(operand, path) };
}

const equalsIgnoreCase: Operator = (operand, path) => {
  const wanted = requireString(operand, path, "equals-ignore-case").toLowerCase();
  return (value) => typeof value === "string" && value.toLowerCase() === wanted;
};

const prefix: Operator = (operand, path) =>
  parseAffix(operand, path, "prefix", (value, part) => value.startsWith(part));

const suffix: Operator = (operand, path) => parseAffix(operand, path, "suffix", (value, part) => value.endsWith(part));

const wildcard: Operator = (operand, path) => {
  const glob = requireString(operand, path, "wildcard");
  const tokens: string[] = glob.match(/\\[\\*]|./gs) ?? [];
  if (tokens.some((token, at) => token === "*" && tokens[at + 1] === "*")) {
    throw new PatternError(path, "wildcard must not have two * in a row");
  }
  if (tokens.includes("\\")) throw new PatternError(path, "wildcard escapes only \\* and \\\\");
  const source = tokens.map((token) => (token === "*" ? ".*" : escapeCharacter(token.at(-1) ?? ""))).join("");
  const whole = new RegExp(`^${source}$`, "s");
  return (value) => typeof value === "string" && whole.test(value);
};

const anythingBut: Operator = (operand, path) => {
  if (isJsonObject(operand)) return anythingButMatching(operand, path);
  const excluded = toList(operand);
  const kinds = new Set(excluded.map((item) => typeof item));
  if (kinds.size !== 1 || !(kinds.has("string") || kinds.has("number"))) {
    throw new PatternError(path, "anything-but takes strings only or numbers only");
  }
  return (value) => !excluded.includes(value);
};

/** Comparisons allowed inside anything-but, each with a string or a list of strings. */
const NEGATABLE: ReadonlyMap<string, Operator> = new Map([
  ["prefix", prefix],
  ["suffix", suffix],
  ["equals-ignore-case", equalsIgnoreCase],
  ["wildcard", wildcard],
]);

function anythingButMatching(inner: JsonObject, path: string): ValueTest {
  const [name, operand] = singleEntry(inner, path);
  const operator = NEGATABLE.get(name);
  if (!operator) throw new PatternError(path, `unknown operator "${name}" in anything-but`);
  const parts = toList(operand);
  if (parts.length === 0 || parts.some((part) => typeof part !== "string" || part === "")) {
    throw new PatternError(path, `anything-but ${name} takes a string or a list of strings, none empty`);
  }
  const excluded = parts.map((part) => operator(part, path));
  return (value) => !excluded.some((test) => test(value));
}

const COMPARISONS: ReadonlyMap<unknown, (value: number, bound: number) => boolean> = new Map([
  ["=", (value: number, bound: number) => value === bound],
  [">", (value: number, bound: number) => value > bound],
  [">=", (value: number, bound: number) => value >= bound],
  ["<", (value: number, bound: number) => value < bound],
  ["<=", (value: number, bound: number) => value <= bound],
]);

const numeric: Operator = (operand, path) => {
  if (!Array.isArray(operand)) throw new PatternError(path, "numeric takes an array");
  const [first, low, second, high] = operand;
  if (operand.length === 2) return comparison(first, low, path);
  const isRange = (first === ">" || first === ">=") && (second === "<" || second === "<=");
  if (operand.length !== 4 || !isRange) {
    throw new PatternError(path, 'numeric takes one comparison, or a range such as [">", 0, "<=", 5]');
  }
  const aboveLow = comparison(first, low, path);
  const belowHigh = comparison(second, high, path);
  if (low >= high) throw new PatternError(path, "the lower bound of a numeric range must be less than the upper");
  return (value) => aboveLow(value) && belowHigh(value);
};

function comparison(sign: unknown, bound: unknown, path: string): ValueTest {
  const compare = COMPARISONS.get(sign);
  if (!compare) throw new PatternError(path, `unknown numeric comparison ${JSON.stringify(sign)}`);
  if (typeof bound !== "number" || Math.abs(bound) > NUMERIC_LIMIT) {
    throw new PatternError(path, "a numeric bound must be a number between -5.0e9 and 5.0e9");
  }
  return (value) => typeof value === "number" && compare(value, bound);
}

const cidr: Operator = (operand, path) => {
  const [network = "", bits = "", ...rest] = requireString(operand, path, "cidr").split("/");
  const version = isIP(network);
  const isMask = /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
  if (version === 0 || !isMask || rest.length > 0) {
    throw new PatternError(path, "cidr takes an address and a mask, such as 10.0.0.0/24");
  }
  const family = version === 4 ? "ipv4" : "ipv6";
  const range = new BlockList();
  range.addSubnet(network, Number(bits), family);
  return (value) => typeof value === "string" && range.check(value, family);
};

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ...NEGATABLE,
  ["anything-but", anythingBut],
  ["numeric", numeric],
  ["cidr", cidr],
]);

function parseAffix(
  operand: unknown,
  path: string,
  name: string,
  has: (value: string, part: string) => boolean,
): ValueTest {
  if (!isJsonObject(operand)) {
    const part = requireString(operand, path, name);
    return (value) => typeof value === "string" && has(value, part);
  }
  const [inner, innerOperand] = singleEntry(operand, path);
  if (inner !== "equals-ignore-case") throw new PatternError(path, `unknown operator "${inner}" in ${name}`);
  const part = requireString(innerOperand, path, inner).toLowerCase();
  return (value) => typeof value === "string" && has(value.toLowerCase(), part);
}

function singleEntry(object: JsonObject, path: string): [string, unknown] {
  const [entry, ...more] = Object.entries(object);
  if (!entry || more.length > 0) throw new PatternError(path, "exactly one operator is allowed in a comparison");
  return entry;
}

function requireString(operand: unknown, path: string, name: string): string {
  if (typeof operand !== "string") throw new PatternError(path, `${name} takes a string`);
  return operand;
}

function toList(operand: unknown): unknown[] {
  return Array.isArray(operand) ? operand : [operand];
}

function escapeCharacter(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/-]/, "\\$&");
}
