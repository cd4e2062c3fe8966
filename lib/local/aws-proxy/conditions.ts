import * as z from "zod";
import { matchesArn, matchesWildcard } from "./wildcard-match.ts";

/** Context of a request: condition key in lower case -> its values. */
export type ConditionContext = Readonly<Record<string, readonly string[]>>;

/** A test of one condition key. All conditions of a statement must hold. */
export type PolicyCondition = (context: ConditionContext) => boolean;

/** The condition key for the partition keys of a DynamoDB request. */
export const LEADING_KEYS = "dynamodb:leadingkeys";

const operators: Readonly<Record<string, (expected: string, actual: string) => boolean>> = {
  StringEquals: (expected, actual) => expected === actual,
  StringLike: matchesWildcard,
  ArnLike: matchesArn,
  Bool: (expected, actual) => expected.toLowerCase() === actual.toLowerCase(),
};

const FOR_ALL_VALUES = "ForAllValues:";

const scalar = z.union([z.string(), z.boolean()]).transform(String);

/** The Condition element of a statement: operator -> condition key -> one or more expected values. */
export const conditionBlock = z.record(
  z.string(),
  z.record(z.string(), z.union([scalar.transform((one) => [one]), z.array(scalar)])),
);

/**
 * Parses a Condition element (IAM user guide, "Condition operators", "Multivalued context keys").
 * @throws Error for an unsupported operator.
 */
export function parseConditions(block: z.output<typeof conditionBlock>): PolicyCondition[] {
  return Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => parseCondition(operator, key.toLowerCase(), expected)),
  );
}

function parseCondition(operator: string, key: string, expected: readonly string[]): PolicyCondition {
  const forAllValues = operator.startsWith(FOR_ALL_VALUES);
  const matches = operators[forAllValues ? operator.slice(FOR_ALL_VALUES.length) : operator];
  if (!matches) throw new Error(`the local cloud does not support the condition operator ${operator}`);
  // ForAllValues holds when the request context lacks the key, so a key that is never supplied would always pass.
  if (forAllValues && key !== LEADING_KEYS) throw new Error(`the local cloud does not support ${operator} on ${key}`);
  return (context) => {
    const actual = context[key] ?? [];
    const allMatch = actual.every((value) => expected.some((one) => matches(one, value)));
    return allMatch && (forAllValues || actual.length > 0);
  };
}
