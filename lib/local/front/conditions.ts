import * as z from "zod";
import { matchesArn, matchesPattern } from "./patterns.ts";

/** What is known about a request beyond action and resource: condition key in lower case -> its values. */
export type ConditionContext = Readonly<Record<string, readonly string[]>>;

/** A test of one condition key; all conditions of a statement must hold. */
export type Condition = (context: ConditionContext) => boolean;

/** The condition key for the partition keys that a DynamoDB request touches. */
export const LEADING_KEYS = "dynamodb:leadingkeys";

const operators: Readonly<Record<string, (expected: string, actual: string) => boolean>> = {
  StringEquals: (expected, actual) => expected === actual,
  StringLike: matchesPattern,
  ArnLike: matchesArn,
  Bool: (expected, actual) => expected.toLowerCase() === actual.toLowerCase(),
};

const FOR_ALL_VALUES = "ForAllValues:";

const scalar = z.union([z.string(), z.boolean()]).transform(String);

/** The Condition element of a statement as written: operator -> condition key -> one or more expected values. */
export const conditionBlock = z.record(
  z.string(),
  z.record(z.string(), z.union([scalar.transform((one) => [one]), z.array(scalar)])),
);

/**
 * Makes a Condition element ready for evaluation (IAM user guide, "Condition operators", "Multivalued context keys").
 * @throws Error for an operator that is not known, rather than treating it as met.
 */
export function parseConditions(block: z.output<typeof conditionBlock>): Condition[] {
  return Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => parseCondition(operator, key.toLowerCase(), expected)),
  );
}

function parseCondition(operator: string, key: string, expected: readonly string[]): Condition {
  const forAllValues = operator.startsWith(FOR_ALL_VALUES);
  const matches = operators[forAllValues ? operator.slice(FOR_ALL_VALUES.length) : operator];
  if (!matches) throw new Error(`the condition operator ${operator} is not known to the local cloud`);
  // ForAllValues holds when the request does not carry the key at all: a key that is never supplied would always pass.
  if (forAllValues && key !== LEADING_KEYS) throw new Error(`${operator} on ${key} is not known to the local cloud`);
  return (context) => {
    const actual = context[key] ?? [];
    const allMatch = actual.every((value) => expected.some((one) => matches(one, value)));
    return allMatch && (forAllValues || actual.length > 0);
  };
}
