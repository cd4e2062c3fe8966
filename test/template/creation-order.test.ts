import { describe, expect, test } from "vitest";
import { allOptions } from "./all-options.ts";
import { forwards } from "./forwards.ts";
import { synthesized } from "./synthesized.ts";

/** Many services try a role as soon as something is made that works by it, so CloudFormation has to give it all rights before. */

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: unknown;
  readonly DependsOn?: unknown;
}
type Resources = Readonly<Record<string, TemplateResource>>;

const isPolicy = ({ Type }: TemplateResource) => Type === "AWS::IAM::ManagedPolicy" || Type === "AWS::IAM::Policy";

/** Logical ids that a part of a template refers to. */
function references(value: unknown, resources: Resources): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "Ref") return Object.hasOwn(resources, String(inner)) ? [String(inner)] : [];
    if (key === "Fn::GetAtt") return [Array.isArray(inner) ? String(inner[0]) : (String(inner).split(".")[0] ?? "")];
    const named = key === "Fn::Sub" ? [...JSON.stringify(inner).matchAll(/\$\{(\w+)/g)].map(([, id = ""]) => id) : [];
    return [...named.filter((id) => Object.hasOwn(resources, id)), ...references(inner, resources)];
  });
}

/** All that is there before a resource is made: what it names, and what that needs in turn. */
function before(id: string, resources: Resources, found = new Set<string>()): Set<string> {
  const { Properties, DependsOn } = resources[id] ?? {};
  for (const other of [...references(Properties, resources), ...[DependsOn ?? []].flat().map(String)]) {
    if (found.has(other)) continue;
    found.add(other);
    before(other, resources, found);
  }
  return found;
}

/** Which resources may be made before a role that they work by has all its policies. */
function racing(resources: Resources): string[] {
  const policies = Object.entries(resources).filter(([, resource]) => isPolicy(resource));
  const attached = policies.flatMap(([policy, { Properties }]) =>
    references((Properties as { Roles?: unknown }).Roles, resources).map((role) => ({ role, policy })),
  );
  const others = Object.entries(resources).filter(([, { Type }]) => !Type.startsWith("AWS::IAM::"));
  return others.flatMap(([id]) => {
    const made = before(id, resources);
    const missing = attached.filter(({ role, policy }) => made.has(role) && !made.has(policy));
    return missing.map(({ role, policy }) => `${id} works by ${role} and may be made before ${policy}`);
  });
}

describe("nothing is made before the role that it works by has all of its policies", () => {
  const { templates } = synthesized({ ...allOptions, forward: forwards, reportReader: "textract" });

  test.each(templates)("$name", ({ resources }) => {
    expect(racing(resources)).toEqual([]);
  });

  test("which concerns functions, mappings, a state machine and a backup", () => {
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

describe("a race is found", () => {
  const role = { Type: "AWS::IAM::Role" };
  const policy = { Type: "AWS::IAM::ManagedPolicy", Properties: { Roles: [{ Ref: "Role" }] } };
  const arn = { "Fn::GetAtt": ["Role", "Arn"] };

  test("of a machine, a function, a pipe, a schedule and a delivery stream", () => {
    const kinds = {
      "AWS::StepFunctions::StateMachine": { RoleArn: arn },
      "AWS::Lambda::Function": { Role: arn },
      "AWS::Pipes::Pipe": { RoleArn: arn },
      "AWS::Scheduler::Schedule": { Target: { RoleArn: { "Fn::Sub": `\${Role.Arn}` } } },
      "AWS::KinesisFirehose::DeliveryStream": { S3DestinationConfiguration: { RoleARN: arn } },
    };
    for (const [Type, Properties] of Object.entries(kinds)) {
      const found = ["One works by Role and may be made before Policy"];
      expect(racing({ Role: role, Policy: policy, One: { Type, Properties } })).toEqual(found);
      expect(racing({ Role: role, Policy: policy, One: { Type, Properties, DependsOn: "Policy" } })).toEqual([]);
    }
  });

  test("of a function that waits for one of its role's two policies", () => {
    const fn = { Type: "AWS::Lambda::Function", Properties: { Role: arn }, DependsOn: ["Policy"] };
    expect(racing({ Role: role, Policy: policy, Policy2: policy, Function: fn })).toEqual([
      "Function works by Role and may be made before Policy2",
    ]);
  });

  test("of what reads for a function", () => {
    const fn = { Type: "AWS::Lambda::Function", Properties: { Role: arn } };
    const mapping = {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: { FunctionName: { Ref: "Function" } },
      DependsOn: [],
    };
    expect(racing({ Role: role, Policy: policy, Function: fn, Mapping: mapping })).toContain(
      "Mapping works by Role and may be made before Policy",
    );
  });
});
