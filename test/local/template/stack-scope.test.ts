import { describe, expect, test } from "vitest";
import { physicalNames } from "../../../lib/local/template/physical-names.ts";
import type { Template } from "../../../lib/local/template/read-cloud-assembly.ts";
import { StackScope } from "../../../lib/local/template/stack-scope.ts";

const place = { region: "eu-west-1", queueOrigin: "http://127.0.0.1:9" };

function scopeOf(resources: Template["Resources"], rest: Partial<Template> = {}): StackScope {
  const template = { Parameters: {}, Conditions: {}, Outputs: {}, ...rest, Resources: resources };
  return new StackScope("Stack", template, place, () => undefined);
}

const one = (Type: string, Properties: Record<string, unknown> = {}) => scopeOf({ One: { Type, Properties } });

describe("a reference to a resource", () => {
  test.each<[string, Record<string, unknown>, string, Record<string, string>]>([
    ["AWS::DynamoDB::Table", { TableName: "t" }, "t", { Arn: "arn:aws:dynamodb:eu-west-1:000000000000:table/t" }],
    ["AWS::SQS::Queue", { QueueName: "q" }, "http://127.0.0.1:9/000000000000/q", { QueueName: "q" }],
    ["AWS::Lambda::Function", {}, "Stack-One", { Arn: "arn:aws:lambda:eu-west-1:000000000000:function:Stack-One" }],
    ["AWS::Events::Rule", { Name: "r" }, "r", { Arn: "arn:aws:events:eu-west-1:000000000000:rule/r" }],
    ["AWS::S3::Bucket", {}, "stack-one", { Arn: "arn:aws:s3:::stack-one" }],
    ["AWS::SNS::Topic", { TopicName: "n" }, "arn:aws:sns:eu-west-1:000000000000:n", { TopicName: "n" }],
    ["AWS::IAM::Role", { RoleName: "r" }, "r", { Arn: "arn:aws:iam::000000000000:role/r" }],
    ["AWS::IAM::ManagedPolicy", { ManagedPolicyName: "p" }, "arn:aws:iam::000000000000:policy/p", {}],
    [
      "AWS::Logs::LogGroup",
      { LogGroupName: "/l" },
      "/l",
      { Arn: "arn:aws:logs:eu-west-1:000000000000:log-group:/l:*" },
    ],
    [
      "AWS::StepFunctions::StateMachine",
      { StateMachineName: "m" },
      "arn:aws:states:eu-west-1:000000000000:stateMachine:m",
      { Name: "m" },
    ],
    ["AWS::CloudWatch::Alarm", {}, "Stack-One", { Arn: "arn:aws:cloudwatch:eu-west-1:000000000000:alarm:Stack-One" }],
  ])("of type %s with %j gives Ref %s", (type, properties, ref, attributes) => {
    const scope = one(type, properties);
    expect(scope.ref("One")).toBe(ref);
    for (const [name, value] of Object.entries(attributes)) expect(scope.attribute("One", name)).toBe(value);
  });

  test("of a key gives an id in UUID form, the same as in its ARN", () => {
    const scope = one("AWS::KMS::Key");
    expect(scope.ref("One")).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    expect(scope.attribute("One", "Arn")).toBe(`arn:aws:kms:eu-west-1:000000000000:key/${scope.ref("One")}`);
  });

  test("resolves for every type in the table of physical names", () => {
    for (const [type, { attributes = {} }] of Object.entries(physicalNames)) {
      const scope = one(type);
      const values = [scope.ref("One"), ...Object.keys(attributes).map((name) => scope.attribute("One", name))];
      for (const value of values) expect(value, type).not.toMatch(/[{}]/);
    }
  });

  test("of an unknown type is an error that names stack, logical id and type", () => {
    expect(() => one("AWS::New::Thing").resolve({ Ref: "One" }, "User")).toThrow(
      "Stack/User: Stack/One: the local cloud does not support references to AWS::New::Thing",
    );
  });

  test("with an unknown attribute is an error that names stack, logical id and attribute", () => {
    expect(() => one("AWS::SQS::Queue").attribute("One", "Size")).toThrow(
      "Stack/One: AWS::SQS::Queue has no supported attribute Size",
    );
  });

  test("without a target is an error", () => {
    expect(() => one("AWS::SQS::Queue").ref("Two")).toThrow("Stack: the resource or parameter Two does not exist");
  });
});

describe("a physical name", () => {
  test("is cut to the service's limit, stays the same and stays distinct", () => {
    const [first, second] = ["A", "B"].map((last) => `${"Long".repeat(30)}${last}`);
    const queue = { Type: "AWS::SQS::Queue", Properties: {} };
    const scope = scopeOf({ [first ?? ""]: queue, [second ?? ""]: queue });
    const names = [first, second, first].map((logicalId) => scope.physicalName(logicalId ?? ""));
    expect(names[0]).toHaveLength(80);
    expect(names[0]).toBe(names[2]);
    expect(names[0]).not.toBe(names[1]);
  });

  test("may consist of references if it is explicit", () => {
    const name = { "Fn::Join": ["-", [{ Ref: "AWS::StackName" }, { Ref: "Suffix" }]] };
    const resources = { One: { Type: "AWS::SQS::Queue", Properties: { QueueName: name } } };
    const scope = scopeOf(resources, { Parameters: { Suffix: { Default: "x" } } });
    expect(scope.physicalName("One")).toBe("Stack-x");
  });

  test("of an API without a local address has the form of AWS", () => {
    const scope = one("AWS::ApiGatewayV2::Api", { Name: "main" });
    expect(scope.attribute("One", "ApiEndpoint")).toBe(
      `https://${scope.ref("One")}.execute-api.eu-west-1.amazonaws.com`,
    );
  });
});
