import { expect, test } from "vitest";
import { exceededLimits, type FabricatedResources, fabricatedArn, fabricatedName } from "./fabricated-service.ts";

/** Limits that combine several properties: small services that exceed one limit, and services at the limit. */

const many = <T>(count: number, make: (place: number) => T) => Array.from({ length: count }, (_, place) => make(place));
const statement = (size: number) => ({ PolicyDocument: { Statement: ["x".repeat(size)] } });

/** A role with this number of policies, half of them inline and half attached. */
function roleWith(policies: number): FabricatedResources {
  const named = many(Math.floor(policies / 2), (place) => `arn:aws:iam::aws:policy/${place}`);
  const attached = many(policies - named.length, (place) => [`P${place}`, ["AWS::IAM::ManagedPolicy", attachment]]);
  return { Role: ["AWS::IAM::Role", { ManagedPolicyArns: named }], ...Object.fromEntries(attached) };
}
const attachment = { ...statement(1), Roles: [fabricatedName("Role")] };

function consumerOf(batchSize: number, visibleS: number, properties: object = {}): FabricatedResources {
  return {
    Queue: ["AWS::SQS::Queue", { VisibilityTimeout: visibleS }],
    Function: ["AWS::Lambda::Function", { Timeout: 60 }],
    Mapping: [
      "AWS::Lambda::EventSourceMapping",
      {
        EventSourceArn: fabricatedArn("Queue"),
        FunctionName: fabricatedArn("Function"),
        BatchSize: batchSize,
        ...properties,
      },
    ],
  };
}

function calledBy(callers: number): FabricatedResources {
  const permission = { FunctionName: fabricatedArn("Function"), SourceArn: "x".repeat(400) };
  const permissions = many(callers, (place) => [`Permission${place}`, ["AWS::Lambda::Permission", permission]]);
  return { Function: ["AWS::Lambda::Function"], ...Object.fromEntries(permissions) };
}

function tableWith(defined: readonly string[], projected = 0): FabricatedResources {
  const index = (name: string, count: number) => ({
    IndexName: name,
    KeySchema: [{ AttributeName: "by" }],
    Projection: { NonKeyAttributes: many(count, (place) => `${name}${place}`) },
  });
  const half = Math.floor(projected / 2);
  return {
    Table: [
      "AWS::DynamoDB::Table",
      {
        AttributeDefinitions: defined.map((AttributeName) => ({ AttributeName })),
        KeySchema: [{ AttributeName: "pk" }],
        GlobalSecondaryIndexes: [index("one", half), index("two", projected - half)],
      },
    ],
  };
}

const firewall = (groups: readonly string[]): FabricatedResources => ({
  Acl: [
    "AWS::WAFv2::WebACL",
    { Rules: groups.map((Name) => ({ Name, Statement: { ManagedRuleGroupStatement: { Name } } })) },
  ],
});
const common = "AWSManagedRulesCommonRuleSet";
const inputs = "AWSManagedRulesKnownBadInputsRuleSet";

const dashboard = (widgets: number): FabricatedResources => ({
  Board: ["AWS::CloudWatch::Dashboard", { DashboardBody: JSON.stringify({ widgets: many(widgets, () => ({})) }) }],
});
const alarm = (periods: number): FabricatedResources => ({
  Alarm: ["AWS::CloudWatch::Alarm", { Period: 86_400, EvaluationPeriods: periods }],
});
const exporting = (...names: readonly string[]) => ({
  Outputs: Object.fromEntries(names.map((Name, place) => [`Output${place}`, { Value: "v", Export: { Name } }])),
});
const filled = (count: number) => ({
  Resources: Object.fromEntries(many(count, (place) => [`Resource${place}`, { Type: "AWS::SQS::Queue" }])),
});

test.each<[string, string, [FabricatedResources, object?], [FabricatedResources, object?]]>([
  ["policies of a role", "AWS::IAM::Role AllManagedPolicies", [roleWith(11)], [roleWith(10)]],
  [
    "inline policies of a role, together",
    "AWS::IAM::Role InlinePolicies",
    [
      {
        Role: ["AWS::IAM::Role", { Policies: [statement(5_200)] }],
        In: ["AWS::IAM::Policy", { ...statement(5_200), Roles: [fabricatedName("Role")] }],
      },
    ],
    [
      {
        Role: ["AWS::IAM::Role", { Policies: [statement(5_000)] }],
        In: ["AWS::IAM::Policy", { ...statement(5_000), Roles: [fabricatedName("Role")] }],
      },
    ],
  ],
  [
    "characters in a policy",
    "AWS::IAM::ManagedPolicy PolicyText",
    [{ Policy: ["AWS::IAM::ManagedPolicy", { PolicyDocument: { Statement: ["日"] } }] }],
    [{ Policy: ["AWS::IAM::ManagedPolicy", { PolicyDocument: { Statement: ["é"] } }] }],
  ],
  [
    "resources of a policy",
    "AWS::IAM::ManagedPolicy PolicyResources.*",
    [{ Policy: ["AWS::IAM::ManagedPolicy", { PolicyDocument: { Statement: [{ Resource: ["*", ""] }] } }] }],
    [
      {
        Policy: ["AWS::IAM::ManagedPolicy", { PolicyDocument: { Statement: [{ Resource: fabricatedArn("Table") }] } }],
      },
    ],
  ],
  [
    "actions of a policy",
    "AWS::IAM::ManagedPolicy PolicyActions.*",
    [{ Policy: ["AWS::IAM::ManagedPolicy", { PolicyDocument: { Statement: [{ Action: "GetItem" }] } }] }],
    [{ Policy: ["AWS::IAM::ManagedPolicy", { PolicyDocument: { Statement: [{ Action: ["sqs:SendMessage"] }] } }] }],
  ],
  ["permissions on a function", "AWS::Lambda::Function Permissions", [calledBy(50)], [calledBy(40)]],
  [
    "names in an environment",
    "AWS::Lambda::Function EnvironmentNames.*",
    [{ Function: ["AWS::Lambda::Function", { Environment: { Variables: { AWS_REGION: "us-east-1" } } }] }],
    [{ Function: ["AWS::Lambda::Function", { Environment: { Variables: { REGION: "us-east-1" } } }] }],
  ],
  [
    "time that a message is hidden, and its function runs",
    "AWS::Lambda::EventSourceMapping VisibleAfterTimeoutS",
    [consumerOf(10, 59)],
    [consumerOf(10, 60)],
  ],
  [
    "messages of a batch that nothing waits for",
    "AWS::Lambda::EventSourceMapping BatchOfQueueAtOnce",
    [consumerOf(11, 60)],
    [consumerOf(11, 60, { MaximumBatchingWindowInSeconds: 1 })],
  ],
  [
    "name of a FIFO queue",
    "AWS::SQS::Queue FifoQueueName",
    [{ orders: ["AWS::SQS::Queue", { FifoQueue: true }] }],
    [{ "orders.fifo": ["AWS::SQS::Queue", { FifoQueue: true }] }],
  ],
  [
    "projected attributes of all indexes",
    "AWS::DynamoDB::Table ProjectedAttributes",
    [tableWith(["pk", "by"], 101)],
    [tableWith(["pk", "by"], 100)],
  ],
  [
    "attributes of keys that are not defined",
    "AWS::DynamoDB::Table UnmatchedAttributes",
    [tableWith(["pk"])],
    [tableWith(["pk", "by"])],
  ],
  [
    "attributes that are defined for no key",
    "AWS::DynamoDB::Table UnmatchedAttributes",
    [tableWith(["pk", "by", "name"])],
    [tableWith(["pk", "by"])],
  ],
  ["time that an alarm looks at", "AWS::CloudWatch::Alarm EvaluatedSeconds", [alarm(8)], [alarm(7)]],
  ["widgets of a dashboard", "AWS::CloudWatch::Dashboard Widgets", [dashboard(501)], [dashboard(500)]],
  [
    "capacity of a web ACL",
    "AWS::WAFv2::WebACL Capacity",
    [firewall([common, common, inputs])],
    [firewall([common, common])],
  ],
  ["exports of one name", "Output ExportName", [{}, exporting("a", "a")], [{}, exporting("a", "b")]],
  ["resources of a template", "Template Resources", [{}, filled(501)], [{}, filled(500)]],
])("%s", (_, place, refused, taken) => {
  expect(exceededLimits(...refused)).toEqual([place]);
  expect(exceededLimits(...taken)).toEqual([]);
});

test("a name is measured with CloudFormation's suffix, and an ARN with the longest partition and region", () => {
  const named = (size: number): FabricatedResources => ({
    Function: [
      "AWS::Lambda::Function",
      { Environment: { Variables: { A1: "x".repeat(size), B1: fabricatedArn("Function") } } },
    ],
  });
  const arn = "arn:aws-us-gov:any:us-gov-west-1:111122223333:Planted-Function-1A2B3C4D5E6F7";
  const rest = "A1B1".length + arn.length;
  expect(exceededLimits(named(4_096 - rest))).toEqual([]);
  expect(exceededLimits(named(4_097 - rest))).toEqual(["AWS::Lambda::Function Environment.Variables"]);
});
