import { describe, expect, test } from "vitest";
import { compileChoiceRule } from "../../../lib/local/states/choice-rules.ts";
import type { Json } from "../../../lib/local/states/json-path.ts";

const input = {
  s: "m",
  n: 5,
  t: "2030-01-01T00:00:00Z",
  yes: true,
  nil: null,
  s2: "m",
  n2: 7,
  t2: "2031-01-01T00:00:00Z",
};

function holds(rule: Json): boolean {
  return compileChoiceRule(rule)({ input, context: { now: "2030-06-01T00:00:00Z" } });
}

describe("a comparison holds", () => {
  test.each<Record<string, Json>>([
    { Variable: "$.s", StringEquals: "m" },
    { Variable: "$.s", StringLessThan: "n" },
    { Variable: "$.s", StringLessThanEquals: "m" },
    { Variable: "$.s", StringGreaterThan: "a" },
    { Variable: "$.s", StringGreaterThanEquals: "m" },
    { Variable: "$.s", StringEqualsPath: "$.s2" },
    { Variable: "$.n", NumericEquals: 5 },
    { Variable: "$.n", NumericLessThan: 6 },
    { Variable: "$.n", NumericLessThanPath: "$.n2" },
    { Variable: "$.n", NumericGreaterThan: 4 },
    { Variable: "$.n", NumericGreaterThanEquals: 5 },
    { Variable: "$.yes", BooleanEquals: true },
    { Variable: "$.yes", BooleanEqualsPath: "$.yes" },
    { Variable: "$.t", TimestampEquals: "2030-01-01T01:00:00+01:00" },
    { Variable: "$.t", TimestampLessThan: "2030-01-02T00:00:00Z" },
    { Variable: "$.t", TimestampLessThanPath: "$.t2" },
    { Variable: "$.t", TimestampLessThanEqualsPath: "$$.now" },
    { Variable: "$.nil", IsNull: true },
    { Variable: "$.s", IsNull: false },
    { Variable: "$.s", IsPresent: true },
    { Variable: "$.gone", IsPresent: false },
    { Variable: "$.s", IsString: true },
    { Variable: "$.n", IsNumeric: true },
    { Variable: "$.yes", IsBoolean: true },
    { Variable: "$.t", IsTimestamp: true },
    { Variable: "$.s", IsTimestamp: false },
  ])("%j", (rule) => expect(holds(rule)).toBe(true));
});

describe("a comparison does not hold", () => {
  test.each<Record<string, Json>>([
    { Variable: "$.s", StringEquals: "x" },
    { Variable: "$.n", NumericLessThan: 5 },
    { Variable: "$.n", NumericGreaterThanPath: "$.n2" },
    { Variable: "$.t", TimestampGreaterThan: "2030-01-01T00:00:00Z" },
    { Variable: "$.n", StringEquals: "5" },
    { Variable: "$.s", TimestampLessThan: "2030-01-01T00:00:00Z" },
    { Variable: "$.s", NumericLessThan: 6 },
    { Variable: "$.gone", IsPresent: true },
  ])("%j", (rule) => expect(holds(rule)).toBe(false));
});

test.each([
  ["a*c", "abbc", true],
  ["a*c", "abbd", false],
  ["a.c", "abc", false],
  ["*", "", true],
  ["a\\*", "a*", true],
  ["a\\*", "ab", false],
])("StringMatches %s on '%s' is %s", (pattern, text, expected) => {
  const condition = compileChoiceRule({ Variable: "$.x", StringMatches: pattern });
  expect(condition({ input: { x: text }, context: {} })).toBe(expected);
});

test("And, Or and Not combine rules", () => {
  const yes = { Variable: "$.n", NumericEquals: 5 };
  const no = { Variable: "$.n", NumericEquals: 6 };
  expect(holds({ And: [yes, yes] })).toBe(true);
  expect(holds({ And: [yes, no] })).toBe(false);
  expect(holds({ Or: [no, yes] })).toBe(true);
  expect(holds({ Or: [no, no] })).toBe(false);
  expect(holds({ Not: { And: [yes, no] } })).toBe(true);
});

test("a missing variable is a runtime failure instead of false", () =>
  expect(() => holds({ Variable: "$.gone", StringEquals: "x" })).toThrow("could not be found"));

test.each<Record<string, Json>>([
  { Variable: "$.n", NumericNear: 5 },
  { Variable: "$.n", BooleanLessThan: true },
  { Variable: "$..n", NumericEquals: 5 },
  { Variable: "$.n", NumericEquals: 5, StringEquals: "x" },
  { Variable: "$.n" },
  { And: "no list" },
])("the rule %j is refused when it is compiled", (rule) => expect(() => compileChoiceRule(rule)).toThrow());
