import { describe, expect, test } from "vitest";
import { contracts } from "../../../functions/index.ts";
import type { Grant } from "../../../lib/contract/access.ts";
import { contractsWith, functionPath } from "../support/function-paths.ts";
import { parseStatements } from "../support/policy-document.ts";
import { resourcesOfType, synthesizeService } from "../support/synthesize.ts";

const service = synthesizeService();

/** Every policy resource with `*`, and the reason why no narrower resource exists. */
const wildcards: Readonly<Record<string, string>> = {
  "Operations/Tracing *": "X-Ray supports no resource-level permissions",
  "Deletion/MachinePolicy *": "log delivery and sampling rules support no resource-level permissions",
  ...wildcardsWith("/*", "objects of buckets", ({ resource, action }) => {
    return resource.kind === "bucket" && action !== "s3:ListBucket";
  }),
  ...wildcardsWith(":del-*", "executions of the deletion machine", ({ action }) => action === "states:StopExecution"),
};

/** A wildcard in the policies of every function with a grant. */
function wildcardsWith(pattern: string, reason: string, isSought: (grant: Grant) => boolean): Record<string, string> {
  const found = contractsWith(isSought);
  return Object.fromEntries(found.map((contract) => [`${functionPath(contract)}Policy ${pattern}`, reason]));
}

/** What a wildcard stands in or behind: references as they are in the template, so that none hides one. */
function wildcardOf(resource: unknown): string[] {
  const texts = (value: unknown): string[] => {
    if (typeof value === "string") return [value];
    return value !== null && typeof value === "object" ? Object.values(value).flatMap(texts) : [];
  };
  return texts(resource).filter((text) => text.includes("*"));
}

describe("no policy", () => {
  const policies = service.templates.flatMap(({ name, resources }) =>
    Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
      Type === "AWS::IAM::ManagedPolicy"
        ? [
            {
              // The policies of one function count as one, because the split of statements among them does not matter.
              id: `${name.replace("Tributary-", "")}/${id.slice(0, -8).replace(/Policy\d$/, "Policy")}`,
              statements: parseStatements(Properties.PolicyDocument),
            },
          ]
        : [],
    ),
  );

  test("is inline in a role", () => {
    expect(resourcesOfType(service, "AWS::IAM::Policy")).toEqual([]);
    const inline = resourcesOfType(service, "AWS::IAM::Role").filter(({ properties }) => "Policies" in properties);
    expect(inline).toEqual([]);
  });

  test("allows an action with a wildcard", () => {
    const actions = policies.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action));
    expect(actions.length).toBeGreaterThan(contracts.length);
    expect(actions.filter((action) => !/^[a-z0-9]+:[A-Z][A-Za-z]+$/.test(action))).toEqual([]);
  });

  test("has a wildcard resource except the listed ones", () => {
    const found = policies.flatMap(({ id, statements }) =>
      statements.flatMap(({ Resource }) => wildcardOf(Resource)).map((text) => `${id} ${text}`),
    );
    expect([...new Set(found)].sort()).toEqual(Object.keys(wildcards).sort());
  });

  test("grants items without leading keys", () => {
    const unlimited = policies.flatMap(({ id, statements }) =>
      statements
        .filter(
          ({ Action, Condition }) =>
            Condition === undefined && Action.some((action) => /^dynamodb:.*(Item|Query|Scan)$/.test(action)),
        )
        .map(() => id),
    );
    expect(unlimited).toEqual([]);
  });

  test("of a key or a bucket allows a wildcard action, except for the account that owns the key", () => {
    const documents = service.assembly.resources.flatMap(({ logicalId, properties }) =>
      Object.entries(properties).flatMap(([name, value]) =>
        name === "KeyPolicy" || (name === "PolicyDocument" && !("Roles" in properties)) ? [{ logicalId, value }] : [],
      ),
    );
    const found = documents.flatMap(({ logicalId, value }) =>
      parseStatements(value)
        .filter(({ Effect, Action }) => Effect === "Allow" && Action.some((action) => action.includes("*")))
        .map(({ Action, Principal }) => [logicalId.slice(0, -8), ...Action, Principal]),
    );
    const owner = { AWS: "arn:aws:iam::000000000000:root" };
    expect(found).toEqual([
      ["DataKey", "kms:*", owner],
      ["WebhookSecretsKey", "kms:*", owner],
      ["CredentialsKey", "kms:*", owner],
    ]);
  });
});
