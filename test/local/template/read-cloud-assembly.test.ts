import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAssembly } from "../../../lib/local/template/read-assembly.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "cloud-assembly-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const place = { region: "eu-central-1", queueOrigin: "http://127.0.0.1:1" };
const queue = (properties: object = {}) => ({ Type: "AWS::SQS::Queue", Properties: properties });

function read(stacks: Record<string, { dependencies?: string[]; template: object }>) {
  const artifacts = Object.entries(stacks).map(([id, { dependencies = [], template }]) => {
    writeFileSync(join(directory, `${id}.template.json`), JSON.stringify(template));
    const properties = { templateFile: `${id}.template.json`, stackName: `${id}-stack` };
    return [id, { type: "aws:cloudformation:stack", dependencies, properties }];
  });
  writeFileSync(join(directory, "manifest.json"), JSON.stringify({ artifacts: Object.fromEntries(artifacts) }));
  return readAssembly(directory, place);
}

describe("reading an assembly directory", () => {
  test("omits resources whose condition does not hold", () => {
    const Conditions = {
      Here: { "Fn::Equals": [{ Ref: "AWS::Region" }, "eu-central-1"] },
      Elsewhere: { "Fn::Not": [{ Condition: "Here" }] },
    };
    const Resources = { One: { ...queue(), Condition: "Here" }, Two: { ...queue(), Condition: "Elsewhere" } };
    const { resources } = read({ A: { template: { Conditions, Resources } } });
    expect(resources.map(({ name }) => name)).toEqual(["A-stack-One"]);
  });

  test("resolves exports of a stack that is read later", () => {
    const Outputs = { Name: { Value: { "Fn::GetAtt": ["One", "QueueName"] }, Export: { Name: "shared" } } };
    const user = { Resources: { Two: queue({ QueueName: { "Fn::ImportValue": "shared" } }) } };
    const { resources } = read({ A: { template: user }, B: { template: { Resources: { One: queue() }, Outputs } } });
    expect(resources.map(({ name }) => name)).toEqual(["B-stack-One", "B-stack-One"]);
  });

  test("names the stack and logical id that import a missing export", () => {
    const user = { Resources: { Two: queue({ QueueName: { "Fn::ImportValue": "missing" } }) } };
    expect(() => read({ A: { template: user } })).toThrow("A-stack/Two: no stack has the export missing");
  });

  test("refuses stacks that depend on each other", () => {
    const template = { Resources: {} };
    expect(() => read({ A: { dependencies: ["B"], template }, B: { dependencies: ["A"], template } })).toThrow(
      "the stacks depend on each other: A -> B -> A",
    );
  });
});
