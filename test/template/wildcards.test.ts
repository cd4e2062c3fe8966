import { describe, expect, test } from "vitest";
import { contracts } from "../../functions/index.ts";
import { statementsOf } from "./policy-document.ts";
import { ofType, synthesized } from "./synthesized.ts";

const service = synthesized();

/** Every resource with `*` in it that a policy names, with the reason that there is no narrower one. */
const wildcards: Readonly<Record<string, string>> = {
  "Operations/Tracing *": "X-Ray knows no resources",
  "Deletion/MachinePolicy *": "log delivery knows no resources",
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
  "Api-lab-reports/createReportUploadPolicy /*": "objects of the bucket for lab reports that are sent",
  "Api-lab-reports/startReportUploadPolicy /*": "objects of the buckets for lab reports",
  "Api-lab-reports/getReviewPolicy /*": "objects of the bucket for files of lab reports",
  "Api-lab-reports/getReviewPartPolicy /*": "objects of the bucket for files of lab reports",
  "Deletion/eraseUserPolicy /*": "objects of the buckets that hold data of users",
  "Api-users/undoDeletePolicy :del-*": "executions of the deletion machine",
};

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
              // The policies of one function count as one: which of them holds a statement makes no difference.
              id: `${name.replace("Tributary-", "")}/${id.slice(0, -8).replace(/Policy\d$/, "Policy")}`,
              statements: statementsOf(Properties.PolicyDocument),
            },
          ]
        : [],
    ),
  );

  test("stands inside a role", () => {
    expect(ofType(service, "AWS::IAM::Policy")).toEqual([]);
    const inline = ofType(service, "AWS::IAM::Role").filter(({ properties }) => "Policies" in properties);
    expect(inline).toEqual([]);
  });

  test("allows a kind of action", () => {
    const actions = policies.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action));
    expect(actions.length).toBeGreaterThan(contracts.length);
    expect(actions.filter((action) => !/^[a-z0-9]+:[A-Z][A-Za-z]+$/.test(action))).toEqual([]);
  });

  test("names a wildcard resource but the listed ones", () => {
    const found = policies.flatMap(({ id, statements }) =>
      statements.flatMap(({ Resource }) => wildcardOf(Resource)).map((text) => `${id} ${text}`),
    );
    expect([...new Set(found)].sort()).toEqual(Object.keys(wildcards).sort());
  });

  test("grants items without saying which keys", () => {
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

  test("of a key or a bucket allows a kind of action, but to the account that owns the key", () => {
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
