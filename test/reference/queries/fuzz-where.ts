import { type Condition, InvalidWhereError, parseWhere } from "../../../lib/domain/queries/expressions/parse-where.ts";
import { arbitraryWhereInput } from "./arbitrary-where.ts";
import { checkProperty, type PropertyResult } from "./check-property.ts";
import { fuzzedColumns, fuzzedColumnTypes } from "./fuzzed-columns.ts";
import { evaluateCondition, type PostfixStep, parsePostfix } from "./postfix-condition.ts";

/** Errors about texts that the grammar allows: type, name, size or depth. */
const SEMANTIC_REFUSAL = /^(Not comparable|Unknown column|Nested|Longer|More than)/;

type TernaryTruth = boolean | null;

/** Random truth values for the comparisons of a condition, in the order of the text. */
const drawTruths = (seed: number) => {
  let state = seed;
  return (): TernaryTruth => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return [true, false, null][(state >>> 16) % 3] ?? null;
  };
};

const not = (truth: TernaryTruth) => (truth === null ? null : !truth);
const combineTruths = (kind: "and" | "or", parts: readonly TernaryTruth[]): TernaryTruth =>
  parts.includes(kind === "or") ? kind === "or" : parts.includes(null) ? null : kind === "and";

function truthOfTree(tree: Condition, next: () => TernaryTruth): TernaryTruth {
  if (tree.kind === "compare") return next();
  if (tree.kind === "not") return not(truthOfTree(tree.of, next));
  return combineTruths(
    tree.kind,
    tree.of.map((part) => truthOfTree(part, next)),
  );
}

function referenceSteps(text: string): PostfixStep[] | undefined {
  try {
    return parsePostfix(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks one input: the parser has to return the correct tree, or an error with its position.
 * @throws Error otherwise.
 */
function checkWhereParser(text: string): void {
  const steps = referenceSteps(text);
  let tree: Condition;
  try {
    tree = parseWhere(text, fuzzedColumnTypes);
  } catch (error) {
    if (!(error instanceof InvalidWhereError)) throw error;
    const place = / at character (\d+)$/.exec(error.message);
    if (!place || Number(place[1]) < 1 || Number(place[1]) > text.length + 1) throw error;
    if (steps && !SEMANTIC_REFUSAL.test(error.message))
      throw new Error("rejected a text that the grammar allows", { cause: error });
    return;
  }
  if (!steps) throw new Error("accepted a text that the grammar does not allow");
  for (let seed = 1; seed <= 5; seed++) {
    if (truthOfTree(tree, drawTruths(seed)) !== evaluateCondition(steps, drawTruths(seed)))
      throw new Error("parsed in another order");
  }
}

/** Parses `runs` random inputs. */
export const fuzzWhere = (runs: number, seed: number): PropertyResult =>
  checkProperty(arbitraryWhereInput(fuzzedColumns), checkWhereParser, runs, seed);

/** Inputs of a given length that are expensive for parsers with backtracking or lookahead. */
export const adversarialInputs: Readonly<Record<string, (length: number) => string>> = {
  parentheses: (length) => "(".repeat(length),
  nots: (length) => "NOT ".repeat(length / 4),
  ands: (length) => `efficiency=1${" AND efficiency=1".repeat(length / 17)}`,
  quotes: (length) => `type='${"''".repeat(length / 2)}`,
  spaces: (length) => `efficiency${" ".repeat(length)}`,
  digits: (length) => `efficiency=${"1".repeat(length)}.`,
  word: (length) => "a".repeat(length),
};
