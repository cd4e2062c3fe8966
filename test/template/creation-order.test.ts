import { describe, expect, test } from "vitest";
import { allOptions } from "./support/all-options.ts";
import { sampleForwards } from "./support/forwards.ts";
import { synthesizeService } from "./support/synthesize.ts";

/**
 * Many services test a role when a resource with that role is created. So CloudFormation has to attach all policies
 * before.
 */

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: unknown;
  readonly DependsOn?: unknown;
}
type Resources = Readonly<Record<string, TemplateResource>>;

const isPolicy = ({ Type }: TemplateResource) => Type === "AWS::IAM::ManagedPolicy" || Type === "AWS::IAM::Policy";

/** Logical ids that a part of a template references. */
function references(value: unknown, resources: Resources): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "Ref") return Object.hasOwn(resources, String(inner)) ? [String(inner)] : [];
    if (key === "Fn::GetAtt") return [Array.isArray(inner) ? String(inner[0]) : (String(inner).split(".")[0] ?? "")];
    const named = key === "Fn::Sub" ? [...JSON.stringify(inner).matchAll(/\$\{(\w+)/g)].map(([, id = ""]) => id) : [];
    return [...named.filter((id) => Object.hasOwn(resources, id)), ...references(inner, resources)];
  });
}

/** Resources that exist before a resource is created: its references, and theirs in turn. */
function before(id: string, resources: Resources, found = new Set<string>()): Set<string> {
  const { Properties, DependsOn } = resources[id] ?? {};
  for (const other of [...references(Properties, resources), ...[DependsOn ?? []].flat().map(String)]) {
    if (found.has(other)) continue;
    found.add(other);
    before(other, resources, found);
  }
  return found;
}

/** Resources that may be created before a role of theirs has all its policies. */
function racing(resources: Resources): string[] {
  const policies = Object.entries(resources).filter(([, resource]) => isPolicy(resource));
  const attached = policies.flatMap(([policy, { Properties }]) =>
    references((Properties as { Roles?: unknown }).Roles, resources).map((role) => ({ role, policy })),
  );
  const others = Object.entries(resources).filter(([, { Type }]) => !Type.startsWith("AWS::IAM::"));
  return others.flatMap(([id]) => {
    const made = before(id, resources);
    const missing = attached.filter(({ role, policy }) => made.has(role) && !made.has(policy));
    return missing.map(({ role, policy }) => `${id} uses ${role} and may be created before ${policy}`);
  });
}

describe("every resource is created after all policies of its role", () => {
  const { templates } = synthesizeService({
    ...allOptions,
    forward: sampleForwards,
    lake: true,
    reportReader: "textract",
  });

  test.each(templates)("$name", ({ resources }) => {
    expect(racing(resources)).toEqual([]);
  });

  test("includes functions, mappings, a state machine and a backup", () => {
    const working = templates.flatMap(({ resources }) =>
      Object.entries(resources).flatMap(([id, { Type }]) => {
        const roles = [...before(id, resources)].filter((other) => resources[other]?.Type === "AWS::IAM::Role");
        return roles.length > 0 && !Type.startsWith("AWS::IAM::") ? [Type] : [];
      }),
    );
    expect([...new Set(working)]).toEqual(
      expect.arrayContaining([
        "AWS::Lambda::Function",
        "AWS::Lambda::EventSourceMapping",
        "AWS::StepFunctions::StateMachine",
        "AWS::Backup::BackupSelection",
      ]),
    );
  });
});

describe("the check finds a race", () => {
  const role = { Type: "AWS::IAM::Role" };
  const policy = { Type: "AWS::IAM::ManagedPolicy", Properties: { Roles: [{ Ref: "Role" }] } };
  const arn = { "Fn::GetAtt": ["Role", "Arn"] };

  test("of a state machine, a function, a pipe, a schedule and a delivery stream", () => {
    const kinds = {
      "AWS::StepFunctions::StateMachine": { RoleArn: arn },
      "AWS::Lambda::Function": { Role: arn },
      "AWS::Pipes::Pipe": { RoleArn: arn },
      "AWS::Scheduler::Schedule": { Target: { RoleArn: { "Fn::Sub": `\${Role.Arn}` } } },
      "AWS::KinesisFirehose::DeliveryStream": { S3DestinationConfiguration: { RoleARN: arn } },
    };
    for (const [Type, Properties] of Object.entries(kinds)) {
      const found = ["One uses Role and may be created before Policy"];
      expect(racing({ Role: role, Policy: policy, One: { Type, Properties } })).toEqual(found);
      expect(racing({ Role: role, Policy: policy, One: { Type, Properties, DependsOn: "Policy" } })).toEqual([]);
    }
  });

  test("of a function that depends on one of its role's two policies", () => {
    const fn = { Type: "AWS::Lambda::Function", Properties: { Role: arn }, DependsOn: ["Policy"] };
    expect(racing({ Role: role, Policy: policy, Policy2: policy, Function: fn })).toEqual([
      "Function uses Role and may be created before Policy2",
    ]);
  });

  test("of an event source mapping with its function", () => {
    const fn = { Type: "AWS::Lambda::Function", Properties: { Role: arn } };
    const mapping = {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: { FunctionName: { Ref: "Function" } },
      DependsOn: [],
    };
    expect(racing({ Role: role, Policy: policy, Function: fn, Mapping: mapping })).toContain(
      "Mapping uses Role and may be created before Policy",
    );
  });
});
