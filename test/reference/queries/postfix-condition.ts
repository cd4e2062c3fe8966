/** Parses conditions with two stacks (shunting yard), so that it shares only the grammar with the product's parser. */

export type Cell = number | string | boolean | null;

/** One step of a condition in postfix order. */
export type PostfixStep =
  | { readonly kind: "compare"; readonly column: string; readonly operator: string; readonly value: Cell }
  | { readonly kind: Operator };

type Operator = "not" | "and" | "or";
type Token = PostfixStep | { readonly kind: "(" | ")" };

const COMPARISON =
  /\s*([A-Za-z_][A-Za-z0-9_]*)\s*(>=|<=|!=|=|>|<)\s*(?:(-?\d+(?:\.\d+)?)|'((?:[^']|'')*)'|(true|false)\b)/iy;
const WORD = /\s*(\(|\)|(?:not|and|or)\b)/iy;
const REST = /\s*$/y;
const precedence: Readonly<Record<Operator, number>> = { or: 1, and: 2, not: 3 };

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (!take(REST)) {
    const word = take(WORD);
    if (word) {
      tokens.push({ kind: word[1]?.toLowerCase() as "(" | ")" | Operator });
      continue;
    }
    const found = take(COMPARISON);
    if (!found) throw new Error(`no condition at ${at}: ${text}`);
    const [, column = "", operator = "", number, quoted, truth] = found;
    const text_ = quoted?.replaceAll("''", "'");
    const value = number !== undefined ? Number(number) : (text_ ?? truth?.toLowerCase() === "true");
    tokens.push({ kind: "compare", column, operator, value });
  }
  return tokens;
}

/** The condition in postfix order: `a AND NOT b` is `a b not and`. */
export function parsePostfix(text: string): PostfixStep[] {
  const output: PostfixStep[] = [];
  const waiting: (Operator | "(")[] = [];
  let isOperandNext = true;
  for (const token of tokenize(text)) {
    const beginsOperand = ["compare", "not", "("].includes(token.kind);
    if (beginsOperand !== isOperandNext) throw new Error(`${token.kind} where it can not stand: ${text}`);
    isOperandNext = !["compare", ")"].includes(token.kind);
    if (token.kind === "compare") output.push(token);
    else if (token.kind === "(") waiting.push("(");
    else if (token.kind === ")") {
      for (let top = waiting.pop(); top !== "("; top = waiting.pop()) {
        if (top === undefined) throw new Error(`no opening parenthesis: ${text}`);
        output.push({ kind: top });
      }
    } else {
      // A prefix operator waits for its operand. Other operators pop operators of at least equal precedence.
      const { kind } = token;
      for (let top = waiting.at(-1); kind !== "not" && top !== undefined && top !== "("; top = waiting.at(-1)) {
        if (precedence[top] < precedence[kind]) break;
        output.push({ kind: top });
        waiting.pop();
      }
      waiting.push(kind);
    }
  }
  if (isOperandNext) throw new Error(`ends too early: ${text}`);
  for (let top = waiting.pop(); top !== undefined; top = waiting.pop()) {
    if (top === "(") throw new Error(`no closing parenthesis: ${text}`);
    output.push({ kind: top });
  }
  return output;
}

/** Compares a cell with a value; null if the cell is missing. */
export function compareCell(cell: Cell, operator: string, value: Cell): boolean | null {
  if (cell === null || value === null) return null;
  if (operator === "=") return cell === value;
  if (operator === "!=") return cell !== value;
  if (operator === "<") return cell < value;
  if (operator === "<=") return cell <= value;
  return operator === ">" ? cell > value : cell >= value;
}

export type Comparison = Extract<PostfixStep, { kind: "compare" }>;

/** Evaluates a condition in three-valued logic as in SQL: null if a missing value decides. */
export function evaluateCondition(
  steps: readonly PostfixStep[],
  truthOf: (comparison: Comparison) => boolean | null,
): boolean | null {
  const stack: (boolean | null)[] = [];
  for (const step of steps) {
    if (step.kind === "compare") stack.push(truthOf(step));
    else if (step.kind === "not") {
      const truth = stack.pop();
      stack.push(typeof truth === "boolean" ? !truth : null);
    } else {
      const both = [stack.pop() ?? null, stack.pop() ?? null];
      const decisive = step.kind === "or";
      stack.push(both.includes(decisive) ? decisive : both.includes(null) ? null : !decisive);
    }
  }
  return stack[0] ?? null;
}
