import { describe, expect, test } from "vitest";
import {
  evaluateCondition,
  type IntrinsicScope,
  NO_VALUE,
  resolveIntrinsics,
} from "../../../lib/local/template/intrinsics.ts";

const scope: IntrinsicScope = {
  ref: (name) => (name === "AWS::NoValue" ? NO_VALUE : { Queue: "url", Region: "eu", Zones: ["a", "b"] }[name]),
  attribute: (logicalId, name) => `${logicalId}/${name}`,
  condition: (name) => name === "Yes",
  importValue: (name) => `imported ${name}`,
};

describe("resolve", () => {
  test.each<[string, unknown, unknown]>([
    ["a plain value", { a: [1, true, null, "x"] }, { a: [1, true, null, "x"] }],
    ["Ref", { Ref: "Queue" }, "url"],
    ["GetAtt as a list", { "Fn::GetAtt": ["Table", "Arn"] }, "Table/Arn"],
    ["GetAtt as a text with a dotted attribute", { "Fn::GetAtt": "Stack.Outputs.X" }, "Stack/Outputs.X"],
    ["Join of nested functions", { "Fn::Join": ["-", ["a", { Ref: "Queue" }, 3]] }, "a-url-3"],
    ["Join of a list from elsewhere", { "Fn::Join": [",", { Ref: "Zones" }] }, "a,b"],
    ["Join without a missing element", { "Fn::Join": ["", ["a", { Ref: "AWS::NoValue" }]] }, "a"],
    ["Split", { "Fn::Split": ["|", { "Fn::Join": ["|", ["a", "b"]] }] }, ["a", "b"]],
    ["Select", { "Fn::Select": ["1", { "Fn::Split": ["/", "a/b/c"] }] }, "b"],
    ["Sub of names and attributes", { "Fn::Sub": `\${Region}:\${Table.Arn}:\${!kept}` }, `eu:Table/Arn:\${kept}`],
    ["Sub with variables", { "Fn::Sub": [`\${who}@\${Region}`, { who: { Ref: "Queue" } }] }, "url@eu"],
    ["ImportValue", { "Fn::ImportValue": { "Fn::Sub": `\${Region}-name` } }, "imported eu-name"],
    ["If that holds", { "Fn::If": ["Yes", { Ref: "Queue" }, "no"] }, "url"],
    ["If that does not hold", { "Fn::If": ["No", "yes", { Ref: "Region" }] }, "eu"],
    ["a property without value", { a: 1, b: { "Fn::If": ["No", 2, { Ref: "AWS::NoValue" }] } }, { a: 1 }],
    ["an object that has more beside a function's name", { Ref: "Queue", Other: 1 }, { Ref: "Queue", Other: 1 }],
  ])("resolves %s", (_, value, expected) => {
    expect(resolveIntrinsics(value, scope)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ["an unknown function", { "Fn::Cidr": [] }, "does not support the intrinsic function Fn::Cidr"],
    ["a selection out of range", { "Fn::Select": [2, ["a", "b"]] }, "Fn::Select has no element 2"],
    ["a join of objects", { "Fn::Join": ["", [{ a: 1 }]] }, 'expected a string, got {"a":1}'],
    ["a join without list", { "Fn::Join": [""] }, "expected two values"],
  ])("refuses %s", (_, value, message) => {
    expect(() => resolveIntrinsics(value, scope)).toThrow(message);
  });
});

describe("holds", () => {
  const yes = { "Fn::Equals": [{ Ref: "Region" }, "eu"] };
  const no = { "Fn::Equals": [{ Ref: "Region" }, "us"] };
  test.each<[unknown, boolean]>([
    [yes, true],
    [no, false],
    [{ "Fn::Not": [no] }, true],
    [{ "Fn::And": [yes, no] }, false],
    [{ "Fn::And": [yes, { Condition: "Yes" }] }, true],
    [{ "Fn::Or": [no, yes] }, true],
    [{ "Fn::Or": [no, { Condition: "No" }] }, false],
  ])("%j is %s", (condition, expected) => {
    expect(evaluateCondition(condition, scope)).toBe(expected);
  });

  test("refuses an unknown condition function", () => {
    expect(() => evaluateCondition({ "Fn::Contains": [[], ""] }, scope)).toThrow(
      "does not support the condition function Fn::Contains",
    );
  });
});
