import type { Item } from "../../../lib/store/item.ts";

/** Names and values of the expressions of a request. */
export interface Bindings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

type Operand = (item: Item, bound: Bindings) => unknown;
type Condition = (item: Item, bound: Bindings) => boolean;
type Change = (old: Item, next: Item, bound: Bindings) => void;

/** The tokens of an expression. */
class Tokens {
  readonly #list: readonly string[];
  #place = 0;

  constructor(text: string) {
    this.#list = text.match(/[#:]?\w+|<=|>=|<>|[=<>(),+-]/g) ?? [];
  }

  get isAtEnd(): boolean {
    return this.#place === this.#list.length;
  }

  next(): string {
    return this.#list[this.#place++] ?? "";
  }

  /** Takes the next token if it is the given one. */
  take(token: string): boolean {
    const isNext = this.#list[this.#place] === token;
    if (isNext) this.#place++;
    return isNext;
  }

  require(token: string): void {
    if (!this.take(token)) throw new Error(`no ${token} in an expression: ${this.#list.join(" ")}`);
  }
}

const nameOf = (token: string, { names }: Bindings) => (token.startsWith("#") ? (names[token] ?? "") : token);

function parseOperand(tokens: Tokens): Operand {
  const token = tokens.next();
  if (token === "size" || token === "if_not_exists") {
    tokens.require("(");
    const path = tokens.next();
    const other = tokens.take(",") ? parseOperand(tokens) : undefined;
    tokens.require(")");
    if (other) return (item, bound) => item[nameOf(path, bound)] ?? other(item, bound);
    return (item, bound) => (item[nameOf(path, bound)] as Set<unknown> | undefined)?.size;
  }
  if (token.startsWith(":")) return (_, { values }) => values[token];
  return (item, bound) => item[nameOf(token, bound)];
}

/** A comparison with a missing attribute is false, except that it differs from every value. */
const comparisons: Readonly<Record<string, (left: never, right: never) => boolean>> = {
  "=": (left, right) => left === right,
  "<>": (left, right) => left !== right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

function parseComparison(tokens: Tokens): Condition {
  const left = parseOperand(tokens);
  const operator = tokens.next();
  if (operator === "IN") {
    tokens.require("(");
    const list = [parseOperand(tokens)];
    while (tokens.take(",")) list.push(parseOperand(tokens));
    tokens.require(")");
    return (item, bound) => list.some((one) => one(item, bound) === left(item, bound));
  }
  const compare = comparisons[operator];
  if (!compare) throw new Error(`unknown operator ${operator}`);
  const right = parseOperand(tokens);
  return (item, bound) => {
    const [a, b] = [left(item, bound), right(item, bound)];
    return a === undefined || b === undefined ? operator === "<>" : compare(a as never, b as never);
  };
}

const functions: Readonly<Record<string, (value: unknown, argument: unknown) => boolean>> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  contains: (value, argument) => value instanceof Set && value.has(argument),
};

function parsePrimary(tokens: Tokens): Condition {
  if (tokens.take("(")) {
    const inner = parseOr(tokens);
    tokens.require(")");
    return inner;
  }
  for (const [name, test] of Object.entries(functions)) {
    if (!tokens.take(name)) continue;
    tokens.require("(");
    const value = parseOperand(tokens);
    const argument = tokens.take(",") ? parseOperand(tokens) : () => undefined;
    tokens.require(")");
    return (item, bound) => test(value(item, bound), argument(item, bound));
  }
  return parseComparison(tokens);
}

function parseAnd(tokens: Tokens): Condition {
  const parts = [parsePrimary(tokens)];
  while (tokens.take("AND")) parts.push(parsePrimary(tokens));
  return (item, bound) => parts.every((part) => part(item, bound));
}

function parseOr(tokens: Tokens): Condition {
  const parts = [parseAnd(tokens)];
  while (tokens.take("OR")) parts.push(parseAnd(tokens));
  return (item, bound) => parts.some((part) => part(item, bound));
}

function parseSet(tokens: Tokens): Change {
  const path = tokens.next();
  tokens.require("=");
  const first = parseOperand(tokens);
  const isSum = tokens.take("+");
  const second = isSum ? parseOperand(tokens) : undefined;
  return (old, next, bound) => {
    const value = first(old, bound);
    next[nameOf(path, bound)] = second ? Number(value) + Number(second(old, bound)) : value;
  };
}

/** Changes of one attribute, by the keyword of their clause. */
const clauses: Readonly<Record<string, (tokens: Tokens) => Change>> = {
  SET: parseSet,
  REMOVE: (tokens) => {
    const path = tokens.next();
    return (_, next, bound) => delete next[nameOf(path, bound)];
  },
  ADD: (tokens) => {
    const [path, value] = [tokens.next(), parseOperand(tokens)];
    return (old, next, bound) => {
      const [name, added] = [nameOf(path, bound), value(old, bound)];
      const before = old[name];
      if (added instanceof Set) next[name] = new Set([...((before as Set<unknown> | undefined) ?? []), ...added]);
      else next[name] = Number(before ?? 0) + Number(added);
    };
  },
  DELETE: (tokens) => {
    const [path, value] = [tokens.next(), parseOperand(tokens)];
    return (old, next, bound) => {
      const name = nameOf(path, bound);
      const left = ((old[name] as Set<unknown> | undefined) ?? new Set()).difference(value(old, bound) as Set<unknown>);
      if (left.size > 0) next[name] = left;
      else delete next[name];
    };
  },
};

function parseUpdate(tokens: Tokens): Change {
  const changes: Change[] = [];
  while (!tokens.isAtEnd) {
    const keyword = tokens.next();
    const parse = clauses[keyword];
    if (!parse) throw new Error(`unknown clause ${keyword}`);
    do changes.push(parse(tokens));
    while (tokens.take(","));
  }
  return (old, next, bound) => {
    for (const change of changes) change(old, next, bound);
  };
}

/** Parses each expression once. */
function cached<T>(parse: (tokens: Tokens) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? parse(new Tokens(text));
    known.set(text, found);
    return found;
  };
}

/** Returns the condition of an expression: the comparisons, functions and combinations that the stores of webhooks use. */
export const conditionOf = cached(parseOr);

/** Returns the change of an update expression. It reads the old item and changes a copy. */
export const changeOf = cached(parseUpdate);
