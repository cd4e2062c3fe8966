import { describe, expect, test } from "vitest";
import { LEADING_KEYS } from "../../../lib/local/aws-proxy/conditions.ts";
import { isAllowed, parsePolicy } from "../../../lib/local/aws-proxy/policy.ts";

const document = (...Statement: object[]) => ({ Version: "2012-10-17", Statement });
const allow = (Action: string | string[], Resource: string | string[], Condition?: object) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...(Condition && { Condition }),
});
const table = "arn:aws:dynamodb:eu:000000000000:table/users";
const allowed = (statements: object[], action: string, resources: string[], context = {}) =>
  isAllowed(parsePolicy(document(...statements)), { action, resources, context });

describe("actions and resources", () => {
  test.each<[string, object[], string, string[], boolean]>([
    ["exact action and resource", [allow("dynamodb:GetItem", table)], "dynamodb:GetItem", [table], true],
    ["no grant", [], "dynamodb:GetItem", [table], false],
    ["another action", [allow("dynamodb:GetItem", table)], "dynamodb:PutItem", [table], false],
    ["actions in another case", [allow("DynamoDB:getitem", table)], "dynamodb:GetItem", [table], true],
    ["a prefix of actions", [allow("dynamodb:Get*", table)], "dynamodb:GetItem", [table], true],
    ["a question mark for one character", [allow("dynamodb:?etItem", table)], "dynamodb:GetItem", [table], true],
    ["a question mark for no character", [allow("dynamodb:GetItem?", table)], "dynamodb:GetItem", [table], false],
    ["an action that only contains the granted one", [allow("s3:Get", "*")], "s3:GetObject", [table], false],
    ["one of several actions", [allow(["sqs:SendMessage", "s3:GetObject"], "*")], "s3:GetObject", [table], true],
    [
      "the table does not grant its index",
      [allow("dynamodb:Query", table)],
      "dynamodb:Query",
      [`${table}/index/i`],
      false,
    ],
    [
      "the index does not grant its table",
      [allow("dynamodb:Query", `${table}/index/*`)],
      "dynamodb:Query",
      [table],
      false,
    ],
    ["any index", [allow("dynamodb:Query", `${table}/index/*`)], "dynamodb:Query", [`${table}/index/i`], true],
    [
      "a dot is not a wildcard",
      [allow("s3:GetObject", "arn:aws:s3:::a.b/*")],
      "s3:GetObject",
      ["arn:aws:s3:::axb/k"],
      false,
    ],
    [
      "resource names keep their case",
      [allow("s3:GetObject", "arn:aws:s3:::A/*")],
      "s3:GetObject",
      ["arn:aws:s3:::a/k"],
      false,
    ],
    [
      "keys with colons and slashes",
      [allow("s3:*", "arn:aws:s3:::b/*")],
      "s3:GetObject",
      ["arn:aws:s3:::b/x/y:z"],
      true,
    ],
    [
      "a wildcard does not cross an ARN part",
      [allow("sqs:*", "arn:aws:sqs:*:q")],
      "sqs:SendMessage",
      ["arn:aws:sqs:eu:0:q"],
      false,
    ],
    ["an incomplete ARN", [allow("s3:*", "arn:aws:s3:*")], "s3:GetObject", ["arn:aws:s3:::b/k"], false],
    [
      "every resource must be granted",
      [allow("sqs:*", "arn:aws:sqs:eu:0:a")],
      "sqs:X",
      ["arn:aws:sqs:eu:0:a", "arn:aws:sqs:eu:0:b"],
      false,
    ],
    [
      "a deny takes precedence",
      [allow("*", "*"), { Effect: "Deny", Action: "s3:*", Resource: "*" }],
      "s3:GetObject",
      ["arn:aws:s3:::b/k"],
      false,
    ],
    [
      "a deny of another action",
      [allow("*", "*"), { Effect: "Deny", Action: "s3:*", Resource: "*" }],
      "sqs:X",
      [table],
      true,
    ],
  ])("%s", (_, statements, action, resources, expected) => {
    expect(allowed(statements, action, resources)).toBe(expected);
  });
});

describe("conditions", () => {
  const like = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["user#*", "team#*"] } };
  const equals = { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": "user#1" } };
  const secure = { Bool: { "aws:SecureTransport": true } };
  const both = { StringEquals: { "aws:a": "1" }, StringLike: { "aws:b": ["x*", "y"] } };
  const source = { ArnLike: { "aws:SourceArn": "arn:aws:events:*:0:rule/*" } };
  test.each<[string, object, Record<string, string[]>, boolean]>([
    ["all leading keys have a granted prefix", like, { [LEADING_KEYS]: ["user#1", "team#2"] }, true],
    ["one leading key lacks it", like, { [LEADING_KEYS]: ["user#1", "key#2"] }, false],
    ["a prefix in the middle does not count", like, { [LEADING_KEYS]: ["x-user#1"] }, false],
    ["a request without leading keys passes ForAllValues, as on AWS", like, {}, true],
    ["the leading key is equal", equals, { [LEADING_KEYS]: ["user#1"] }, true],
    ["the leading key only starts with it", equals, { [LEADING_KEYS]: ["user#10"] }, false],
    ["Bool holds", secure, { "aws:securetransport": ["true"] }, true],
    ["Bool does not hold", secure, { "aws:securetransport": ["false"] }, false],
    ["a key that the request lacks", secure, {}, false],
    ["all operators hold", both, { "aws:a": ["1"], "aws:b": ["xyz"] }, true],
    ["one operator does not hold", both, { "aws:a": ["1"], "aws:b": ["z"] }, false],
    ["ArnLike holds", source, { "aws:sourcearn": ["arn:aws:events:eu:0:rule/bus/r"] }, true],
    ["ArnLike does not match across a colon", source, { "aws:sourcearn": ["arn:aws:events:eu:x:0:rule/r"] }, false],
  ])("%s", (_, condition, context, expected) => {
    expect(allowed([allow("dynamodb:*", "*", condition)], "dynamodb:GetItem", [table], context)).toBe(expected);
  });
});

describe("a policy is refused at load time for", () => {
  test.each<[string, object, string]>([
    [
      "an unknown operator",
      allow("a:b", "*", { NumericLessThan: { "s3:max-keys": "1" } }),
      "does not support the condition operator NumericLessThan",
    ],
    [
      "an unknown set operator",
      allow("a:b", "*", { "ForAnyValue:StringLike": { a: "b" } }),
      "does not support the condition operator ForAnyValue:StringLike",
    ],
    [
      "ForAllValues on a key that requests never have",
      allow("a:b", "*", { "ForAllValues:StringLike": { "dynamodb:Attributes": "a" } }),
      "does not support ForAllValues:StringLike on dynamodb:attributes",
    ],
    ["NotAction", { Effect: "Allow", NotAction: "a:b", Resource: "*" }, "NotAction"],
    ["NotResource", { Effect: "Allow", Action: "a:b", NotResource: "*" }, "NotResource"],
  ])("%s", (_, statement, message) => {
    expect(() => parsePolicy(document(statement))).toThrow(message);
  });
});
