import { type Condition, parseWhere, WhereRefused } from "../../../lib/domain/aggregation/where.ts";
import { whereInputs } from "./arbitrary-where.ts";
import { type Drilled, drill } from "./drilled.ts";
import { columns, fuzzed } from "./fuzzed-columns.ts";
import { holds, postfixOf, type Step } from "./where.ts";

/** Errors about texts that the grammar allows: type, name, size or depth. */
const NOT_OF_GRAMMAR = /^(Not comparable|Unknown column|Nested|Longer|More than)/;

type Truth = boolean | null;

/** Random truth values for the comparisons of a condition, in the order of the text. */
const truths = (seed: number) => {
  let state = seed;
  return (): Truth => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return [true, false, null][(state >>> 16) % 3] ?? null;
  };
};

const not = (truth: Truth) => (truth === null ? null : !truth);
const joined = (kind: "and" | "or", parts: readonly Truth[]): Truth =>
  parts.includes(kind === "or") ? kind === "or" : parts.includes(null) ? null : kind === "and";

function truthOfTree(tree: Condition, next: () => Truth): Truth {
  if (tree.kind === "compare") return next();
  if (tree.kind === "not") return not(truthOfTree(tree.of, next));
  return joined(
    tree.kind,
    tree.of.map((part) => truthOfTree(part, next)),
  );
}

function referenceSteps(text: string): Step[] | undefined {
  try {
    return postfixOf(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks one input: the parser has to return the correct tree, or an error with its position.
 * @throws Error otherwise.
 */
export function checkParsed(text: string): void {
  const steps = referenceSteps(text);
  let tree: Condition;
  try {
    tree = parseWhere(text, columns);
  } catch (error) {
    if (!(error instanceof WhereRefused)) throw error;
    const place = / at character (\d+)$/.exec(error.message);
    if (!place || Number(place[1]) < 1 || Number(place[1]) > text.length + 1) throw error;
    if (steps && !NOT_OF_GRAMMAR.test(error.message))
      throw new Error("rejected a text that the grammar allows", { cause: error });
    return;
  }
  if (!steps) throw new Error("accepted a text that the grammar does not allow");
  for (let seed = 1; seed <= 5; seed++) {
    if (truthOfTree(tree, truths(seed)) !== holds(steps, truths(seed))) throw new Error("parsed in another order");
  }
}

/** Parses `runs` random inputs. */
export const fuzzWhere = (runs: number, seed: number): Drilled => drill(whereInputs(fuzzed), checkParsed, runs, seed);

/** Inputs of a given length that are expensive for parsers with backtracking or lookahead. */
export const hardInputs: Readonly<Record<string, (length: number) => string>> = {
  parentheses: (length) => "(".repeat(length),
  nots: (length) => "NOT ".repeat(length / 4),
  ands: (length) => `efficiency=1${" AND efficiency=1".repeat(length / 17)}`,
  quotes: (length) => `type='${"''".repeat(length / 2)}`,
  spaces: (length) => `efficiency${" ".repeat(length)}`,
  digits: (length) => `efficiency=${"1".repeat(length)}.`,
  word: (length) => "a".repeat(length),
};
