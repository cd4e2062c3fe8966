import { isJsonObject } from "../../domain/shared/json.ts";
import { findAtPath, findPathProblem, type Json, type JsonObject, type PathSources, readAtPath } from "./json-path.ts";
import { parseTimestamp } from "./timestamp.ts";

/** A compiled condition of a Choice state. @throws StateFailure States.Runtime when the variable is missing. */
export type ChoiceCondition = (sources: PathSources) => boolean;

type Comparable = string | number | boolean;

/** Converts an operand for each family of operators. Undefined means another type, which never matches. */
const operandReaders: Record<string, (value: Json) => Comparable | undefined> = {
  String: (value) => (typeof value === "string" ? value : undefined),
  Numeric: (value) => (typeof value === "number" ? value : undefined),
  Boolean: (value) => (typeof value === "boolean" ? value : undefined),
  Timestamp: parseTimestamp,
};

const comparators: Record<string, (left: Comparable, right: Comparable) => boolean> = {
  Equals: (left, right) => left === right,
  LessThan: (left, right) => left < right,
  LessThanEquals: (left, right) => left <= right,
  GreaterThan: (left, right) => left > right,
  GreaterThanEquals: (left, right) => left >= right,
};

/** The type test operators. Their operand is the expected result of the test. */
const typeTests: Record<string, (value: Json) => boolean> = {
  IsNull: (value) => value === null,
  IsString: (value) => typeof value === "string",
  IsNumeric: (value) => typeof value === "number",
  IsBoolean: (value) => typeof value === "boolean",
  IsTimestamp: (value) => parseTimestamp(value) !== undefined,
};

const COMPARISON = /^(String|Numeric|Boolean|Timestamp)(Equals|(?:Less|Greater)Than(?:Equals)?)(Path)?$/;

/**
 * Compiles a choice rule (States Language, "Choice State"): And, Or, Not, or a Variable with one operator.
 * @throws Error with the unsupported operator or path.
 */
export function compileChoiceRule(rule: Json | undefined): ChoiceCondition {
  if (!isJsonObject(rule)) throw new Error("a choice rule must be an object");
  if (rule.And !== undefined) {
    const all = compileRules(rule.And);
    return (sources) => all.every((holds) => holds(sources));
  }
  if (rule.Or !== undefined) {
    const any = compileRules(rule.Or);
    return (sources) => any.some((holds) => holds(sources));
  }
  if (rule.Not !== undefined) {
    const holds = compileChoiceRule(rule.Not);
    return (sources) => !holds(sources);
  }
  return compileTest(rule);
}

function compileRules(rules: Json): ChoiceCondition[] {
  if (!Array.isArray(rules)) throw new Error("And and Or take a list of rules");
  return rules.map(compileChoiceRule);
}

function compileTest(rule: JsonObject): ChoiceCondition {
  const { Variable: variable, Next: _next, Comment: _comment, ...operators } = rule;
  const [[operator, operand] = [], ...more] = Object.entries(operators);
  if (typeof variable !== "string" || operator === undefined || operand === undefined || more.length > 0)
    throw new Error("a choice rule needs one Variable and one operator");
  checkPath(variable);
  const kind = typeTests[operator];
  if (operator === "IsPresent") return (sources) => (findAtPath(variable, sources) !== undefined) === operand;
  if (kind) return (sources) => kind(readAtPath(variable, sources)) === operand;
  if (operator === "StringMatches") return compileMatch(variable, String(operand));
  return compileComparison(variable, operator, operand);
}

function compileComparison(variable: string, operator: string, operand: Json): ChoiceCondition {
  const [, family = "", order = "", fromPath] = COMPARISON.exec(operator) ?? [];
  const asComparable = operandReaders[family];
  const compare = comparators[order];
  if (!asComparable || !compare || (family === "Boolean" && order !== "Equals"))
    throw new Error(`the choice operator ${operator} is not supported locally`);
  if (fromPath) checkPath(String(operand));
  return (sources) => {
    const left = asComparable(readAtPath(variable, sources));
    const right = asComparable(fromPath ? readAtPath(String(operand), sources) : operand);
    return left !== undefined && right !== undefined && compare(left, right);
  };
}

/** `*` matches any characters, `\*` an asterisk, `\\` a backslash. */
function compileMatch(variable: string, pattern: string): ChoiceCondition {
  const source = pattern.replaceAll(/\\[\\*]|[\\^$.*+?()[\]{}|]/g, (found) => {
    if (found === "*") return "[^]*";
    return found.length === 2 ? found : `\\${found}`;
  });
  const expression = new RegExp(`^${source}$`);
  return (sources) => {
    const value = readAtPath(variable, sources);
    return typeof value === "string" && expression.test(value);
  };
}

function checkPath(path: string): void {
  const problem = findPathProblem(path);
  if (problem !== undefined) throw new Error(problem);
}
