import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResolvedResource } from "../../../lib/local/template/read-assembly.ts";
import { type SampleApp, sampleApp } from "./sample-app.ts";

let app: SampleApp;
beforeAll(() => {
  app = sampleApp("http://127.0.0.1:4566");
});
afterAll(() => app.remove());

function resource(type: string, logicalId = ""): ResolvedResource {
  const found = app.assembly.resources.find((one) => one.type === type && one.logicalId.startsWith(logicalId));
  if (!found) throw new Error(`the sample app has no ${type} ${logicalId}`);
  return found;
}

describe("a synthesized app of two stacks", () => {
  test("lists a stack after its dependencies", () => {
    expect(app.assembly.stacks.map((stack) => stack.name)).toEqual(["Data", "Api"]);
  });

  test("resolves references into another stack to physical names", () => {
    const { Environment } = resource("AWS::Lambda::Function", "PutUser").properties;
    const table = resource("AWS::DynamoDB::Table");
    expect(table.name).toMatch(/^Data-Directory\w+$/);
    expect(Environment).toEqual({
      Variables: {
        TABLE: table.name,
        QUEUE: `http://127.0.0.1:4566/000000000000/${resource("AWS::SQS::Queue", "Ingestion").name}`,
        BUS: resource("AWS::Events::EventBus").name,
      },
    });
  });

  test("has the same queue URL for a Ref as for the queue resource", () => {
    const queue = resource("AWS::SQS::Queue", "Ingestion");
    expect(queue.ref).toBe(`http://127.0.0.1:4566/000000000000/${queue.name}`);
    expect(queue.arn).toBe(`arn:aws:sqs:eu-central-1:000000000000:${queue.name}`);
  });

  test("names buckets in lower case", () => {
    expect(resource("AWS::S3::Bucket").name).toMatch(/^data-batches[a-z0-9]+$/);
  });

  test("keeps an explicit name", () => {
    expect(resource("AWS::Lambda::Function", "Idle").name).toBe("idle-function");
  });

  test("connects route, integration, API and function", () => {
    const integration = resource("AWS::ApiGatewayV2::Integration");
    const { properties } = resource("AWS::ApiGatewayV2::Route");
    expect(properties).toMatchObject({
      ApiId: resource("AWS::ApiGatewayV2::Api").ref,
      Target: `integrations/${integration.ref}`,
    });
    expect(integration.properties.IntegrationUri).toContain(resource("AWS::Lambda::Function", "PutUser").arn);
  });

  test("returns outputs with the local address of the API", () => {
    expect(app.assembly.stacks[1]?.outputs.Address).toBe("http://127.0.0.1:3000");
  });

  test("gives a rule the ARN of its bus", () => {
    const bus = resource("AWS::Events::EventBus").name;
    const rule = resource("AWS::Events::Rule");
    expect(rule.arn).toBe(`arn:aws:events:eu-central-1:000000000000:rule/${bus}/${rule.name}`);
  });

  test("finds the code of a function by its S3 key, its hash and its path", () => {
    const { Code } = resource("AWS::Lambda::Function", "PutUser").properties;
    expect(Code).toMatchObject({ S3Bucket: "cdk-hnb659fds-assets-000000000000-eu-central-1" });
    const hash = /"([0-9a-f]{64})\.zip"/.exec(JSON.stringify(Code))?.[1] ?? "";
    const directory = app.assembly.asset(`${hash}.zip`);
    expect(readFileSync(join(directory, "index.js"), "utf8")).toBe(app.handlerSource);
    expect([app.assembly.asset(hash), app.assembly.asset(`asset.${hash}`)]).toEqual([directory, directory]);
    expect(() => app.assembly.asset("elsewhere.zip")).toThrow("the assembly has no asset elsewhere.zip");
  });
});
