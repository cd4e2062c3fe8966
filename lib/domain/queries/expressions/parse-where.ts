import type { ColumnType } from "../tables/columns.ts";
import { parseTimeLiteral } from "./parse-time-literal.ts";

/** Syntax tree of a `where` condition. */
export type Condition =
  | { readonly kind: "and" | "or"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "compare"; readonly column: string; readonly operator: Operator; readonly value: Literal };

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=";
type Literal = string | number | boolean;

/** Thrown for a condition that cannot be parsed or is invalid. `at` is the zero-based position in the text. */
export class InvalidWhereError extends Error {
  override readonly name = "InvalidWhereError";
  readonly at: number;

  constructor(message: string, at: number) {
    super(`${message} at character ${at + 1}`);
    this.at = at;
  }
}

/** Maximum length and nesting depth; far more than people write. */
const MAX_WHERE_LENGTH = 2_000;
const MAX_NESTING_DEPTH = 20;

interface Token {
  readonly kind: "word" | "number" | "text" | "operator" | "(" | ")" | "end";
  readonly text: string;
  readonly at: number;
}

const spaces = /\s*/y;
const tokenPatterns: readonly [Token["kind"], RegExp][] = [
  ["number", /-?\d+(\.\d+)?/y],
  ["operator", /<=|>=|!=|=|<|>/y],
  ["text", /'(?:[^']|'')*'/y],
  ["word", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["(", /\(/y],
  [")", /\)/y],
];

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function* tokenize(text: string): Generator<Token> {
  let at = 0;
  for (;;) {
    at += match(spaces, text, at)?.length ?? 0;
    if (at >= text.length) return yield { kind: "end", text: "", at };
    const found = tokenPatterns
      .map(([kind, pattern]) => ({ kind, text: match(pattern, text, at) }))
      .find(({ text }) => text);
    if (!found?.text)
      throw new InvalidWhereError(text[at] === "'" ? "Unterminated string" : "Unexpected character", at);
    yield { kind: found.kind, text: found.text, at };
    at += found.text.length;
  }
}

/**
 * Parses `and`, `or`, `not`, parentheses, and comparisons of a column with a number, a string in single quotes, true or
 * false.
 * @param columns column types, by name.
 * @throws WhereRefused
 */
export function parseWhere(text: string, columns: Readonly<Record<string, ColumnType>>): Condition {
  if (text.length > MAX_WHERE_LENGTH) throw new InvalidWhereError("More than 2,000 characters", MAX_WHERE_LENGTH);
  return new WhereParser([...tokenize(text)], columns).all();
}

class WhereParser {
  readonly #tokens: readonly Token[];
  readonly #columns: Readonly<Record<string, ColumnType>>;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], columns: Readonly<Record<string, ColumnType>>) {
    this.#tokens = tokens;
    this.#columns = columns;
  }

  all(): Condition {
    const condition = this.#any();
    const { kind, at } = this.#peek();
    if (kind !== "end") throw new InvalidWhereError("Unexpected text after the condition", at);
    return condition;
  }

  #any(): Condition {
    return this.#joined("or", () => this.#joined("and", () => this.#one()));
  }

  #joined(word: "and" | "or", part: () => Condition): Condition {
    const parts = [part()];
    while (this.#takesWord(word)) parts.push(part());
    return parts.length === 1 ? (parts[0] as Condition) : { kind: word, of: parts };
  }

  #one(): Condition {
    const token = this.#peek();
    if (++this.#depth > MAX_NESTING_DEPTH)
      throw new InvalidWhereError(`Nested more than ${MAX_NESTING_DEPTH} deep`, token.at);
    const condition = this.#takesWord("not") ? ({ kind: "not", of: this.#one() } as const) : this.#positive();
    this.#depth--;
    return condition;
  }

  #positive(): Condition {
    if (this.#peek().kind !== "(") return this.#comparison();
    this.#next++;
    const condition = this.#any();
    this.#take(")", "Expected a closing parenthesis");
    return condition;
  }

  #comparison(): Condition {
    const { text: column, at } = this.#take("word", "Expected a column");
    const type = Object.hasOwn(this.#columns, column) ? this.#columns[column] : undefined;
    if (type === undefined) throw new InvalidWhereError("Unknown column", at);
    const operator = this.#take("operator", "Expected one of = != < <= > >=");
    const token = this.#peek();
    const value = this.#literal(token);
    if (!isComparable(type, operator.text, value))
      throw new InvalidWhereError(`Not comparable with a ${type}`, token.at);
    return { kind: "compare", column, operator: operator.text as Operator, value };
  }

  #literal({ kind, text, at }: Token): Literal {
    this.#next++;
    if (kind === "number") return Number(text);
    if (kind === "text") return text.slice(1, -1).replaceAll("''", "'");
    if (kind === "word" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
    throw new InvalidWhereError("Expected a number, a string in single quotes, true or false", at);
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(kind: Token["kind"], otherwise: string): Token {
    const token = this.#peek();
    if (token.kind !== kind) throw new InvalidWhereError(otherwise, token.at);
    this.#next++;
    return token;
  }

  #takesWord(word: string): boolean {
    const { kind, text } = this.#peek();
    const isIt = kind === "word" && text.toLowerCase() === word;
    if (isIt) this.#next++;
    return isIt;
  }
}

/** Whether an operator can compare a column type with a value. Dates and instants are written as strings. */
function isComparable(type: ColumnType, operator: string, value: Literal): boolean {
  const isOrder = operator !== "=" && operator !== "!=";
  if (type === "number") return typeof value === "number";
  if (type === "boolean") return typeof value === "boolean" && !isOrder;
  if (type === "text") return typeof value === "string" && !isOrder;
  if (type === "list") return false;
  return typeof value === "string" && parseTimeLiteral(value) !== undefined;
}
