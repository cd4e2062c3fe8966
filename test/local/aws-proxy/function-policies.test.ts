import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LEADING_KEYS } from "../../../lib/local/aws-proxy/conditions.ts";
import { readFunctionPolicies } from "../../../lib/local/aws-proxy/function-policies.ts";
import { isAllowed, type Statement } from "../../../lib/local/aws-proxy/policy.ts";
import type { ResolvedAssembly, ResolvedResource } from "../../../lib/local/template/read-assembly.ts";
import { type SampleApp, sampleApp } from "../template/sample-app.ts";

let app: SampleApp;
let policies: Map<string, Statement[]>;
beforeAll(() => {
  app = sampleApp("http://127.0.0.1:4566");
  policies = readFunctionPolicies(app.assembly);
});
afterAll(() => app.remove());

function find(type: string, logicalId = ""): ResolvedResource {
  const found = app.assembly.resources.find((one) => one.type === type && one.logicalId.startsWith(logicalId));
  if (!found) throw new Error(`the sample app has no ${type} ${logicalId}`);
  return found;
}

function allows(functionId: string, action: string, resource: string, context = {}): boolean {
  const statements = policies.get(find("AWS::Lambda::Function", functionId).name) ?? [];
  return isAllowed(statements, { action, resources: [resource], context });
}

describe("the policies of a synthesized app", () => {
  test("include a managed policy in the function whose role it names", () => {
    const table = find("AWS::DynamoDB::Table").arn ?? "";
    const user = { [LEADING_KEYS]: ["user#1"] };
    expect(allows("PutUser", "dynamodb:PutItem", table, user)).toBe(true);
    expect(allows("PutUser", "dynamodb:PutItem", table, { [LEADING_KEYS]: ["key#1"] })).toBe(false);
    expect(allows("PutUser", "dynamodb:Query", `${table}/index/by_team`, user)).toBe(true);
    expect(allows("SendOnly", "dynamodb:PutItem", table, user)).toBe(false);
  });

  test("include an attached policy in the function whose role it names", () => {
    const queue = find("AWS::SQS::Queue").arn ?? "";
    expect(allows("SendOnly", "sqs:SendMessage", queue)).toBe(true);
    expect(allows("SendOnly", "sqs:ReceiveMessage", queue)).toBe(false);
  });

  test("list a function without grants, which has no permission", () => {
    expect(policies.get("idle-function")).toEqual([]);
  });

  test("are refused with the function's name if a role is not in the templates", () => {
    const resources = app.assembly.resources.filter(({ logicalId }) => !logicalId.startsWith("SendOnlyServiceRole"));
    const withoutRole: ResolvedAssembly = { ...app.assembly, resources };
    expect(() => readFunctionPolicies(withoutRole)).toThrow(/^Api\/SendOnly\w+: its role is not in the templates$/);
  });

  test("are refused with the role's name if a policy cannot be evaluated", () => {
    const resources = app.assembly.resources.map((resource) => {
      if (resource.type !== "AWS::IAM::Policy") return resource;
      const text = JSON.stringify(resource.properties).replaceAll('"Action"', '"NotAction"');
      return { ...resource, properties: JSON.parse(text) };
    });
    expect(() => readFunctionPolicies({ ...app.assembly, resources })).toThrow(
      /^Api\/\w+Role\w+: its policy cannot be read: /,
    );
  });
});
