import { describe, expect, test } from "vitest";
import { contracts } from "../../functions/index.ts";
import { statementsOf } from "./policy-document.ts";
import { ofType, synthesized } from "./synthesized.ts";

const service = synthesized();

/** Every policy resource with `*`, and the reason why no narrower resource exists. */
const wildcards: Readonly<Record<string, string>> = {
  "Operations/Tracing *": "X-Ray supports no resource-level permissions",
  "Deletion/MachinePolicy *": "log delivery supports no resource-level permissions",
  "Consumers/storeBatchPolicy /*": "objects of the buckets for batches and streams",
  "Api-ingest/ingestBatchPolicy /*": "objects of the bucket for batches",
  "Api-sdk/syncBatchPolicy /*": "objects of the bucket for batches",
  "Consumers/pullConnectionPolicy /*": "objects of the bucket for batches",
  "Consumers/pullHistoryPolicy /*": "objects of the bucket for batches",
  "Consumers/pullChangesPolicy /*": "objects of the bucket for batches",
  "Api-link/receiveProviderPushPolicy /*": "objects of the bucket for batches",
  "Api-link/connectDemoProviderPolicy /*": "objects of the bucket for batches",
  "Api-timeseries/getStreamBySleepIdPolicy /*": "objects of the bucket for streams",
  "Api-timeseries/getStreamByWorkoutIdPolicy /*": "objects of the bucket for streams",
  "Api-exports/getExportPolicy /*": "objects of the bucket for exports",
  "Consumers/runExportPolicy /*": "objects of the bucket for exports",
  "Api-order-documents/getOrderRequistionPdfPolicy /*": "objects of the bucket for placements of orders",
  "Api-orders/createOrderPolicy /*": "objects of the bucket for placements of orders",
  "Api-orders/createTestkitOrderPolicy /*": "objects of the bucket for placements of orders",
  "Api-orders/importOrderPolicy /*": "objects of the bucket for placements of orders",
  "Api-orders/recreateOrderPolicy /*": "objects of the bucket for placements of orders",
  "Api-orders/redrawOrderPolicy /*": "objects of the bucket for placements of orders",
  "Api-orders/registerTestkitPolicy /*": "objects of the bucket for placements of orders",
  "Api-results/receiveResultPolicy /*": "objects of the bucket for placements of orders",
  "Consumers/doLabWorkPolicy /*": "objects of the bucket for placements of orders",
  "Consumers/runUnmatchedResultTestPolicy /*": "objects of the bucket for placements of orders",
  "Consumers/parseLabReportPolicy /*": "objects of the bucket for files of lab reports",
  "Api-lab-reports/parserCreateJobPolicy /*": "objects of the bucket for files of lab reports",
  "Api-lab-reports/createReportUploadPolicy /*": "objects of the bucket for uploaded lab reports",
  "Api-lab-reports/startReportUploadPolicy /*": "objects of the buckets for lab reports",
  "Api-lab-reports/getReviewPolicy /*": "objects of the bucket for files of lab reports",
  "Api-lab-reports/getReviewPartPolicy /*": "objects of the bucket for files of lab reports",
  "Deletion/eraseUserPolicy /*": "objects of the buckets with user data",
  "Api-users/undoDeletePolicy :del-*": "executions of the deletion machine",
};

/** A resource with its references unresolved, so that none hides a wildcard. */
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
              statements: statementsOf(Properties.PolicyDocument),
            },
          ]
        : [],
    ),
  );

  test("is inline in a role", () => {
    expect(ofType(service, "AWS::IAM::Policy")).toEqual([]);
    const inline = ofType(service, "AWS::IAM::Role").filter(({ properties }) => "Policies" in properties);
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
      statementsOf(value)
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
