import { describe, expect, test } from "vitest";
import { buckets, secrets, tables } from "../../lib/contract/resources.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService();
const dataKey = findResource(service, "AWS::KMS::Key", "DataKey");

describe("every table", () => {
  test.each(tables)(
    "$name is on-demand, restorable, encrypted, deletion-protected and has TTL if needed",
    ({ name }) => {
      const RecoveryPeriodInDays = name === "userKeys" ? 7 : 35;
      expect(findResource(service, "AWS::DynamoDB::Table", `Table${name}`).properties).toMatchObject({
        BillingMode: "PAY_PER_REQUEST",
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays },
        SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: dataKey.arn },
        DeletionProtectionEnabled: true,
        TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
      });
    },
  );

  test.each(tables)("$name has its declared indexes and stream", ({ name, indexes, stream }) => {
    const { properties } = findResource(service, "AWS::DynamoDB::Table", `Table${name}`);
    const found = Array.isArray(properties.GlobalSecondaryIndexes) ? properties.GlobalSecondaryIndexes : [];
    const declared = Object.entries(indexes).map(([index, { partitionKey, sortKey }]) => ({
      IndexName: index,
      KeySchema: [
        { AttributeName: partitionKey, KeyType: "HASH" },
        { AttributeName: sortKey, KeyType: "RANGE" },
      ],
    }));
    expect(found).toMatchObject(declared);
    expect(found).toHaveLength(declared.length);
    expect(properties.StreamSpecification).toEqual(stream ? { StreamViewType: "NEW_IMAGE" } : undefined);
  });

  test("is declared", () => {
    expect(resourcesOfType(service, "AWS::DynamoDB::Table")).toHaveLength(tables.length);
  });
});

test("stateful resources are retained when their stack is deleted, and only tables and keys after a failed creation", () => {
  const policies: Record<string, string> = {
    "AWS::DynamoDB::Table": "Retain",
    "AWS::KMS::Key": "Retain",
    "AWS::S3::Bucket": "RetainExceptOnCreate",
    "AWS::SecretsManager::Secret": "RetainExceptOnCreate",
  };
  const resources = service.templates.flatMap((stack) => Object.values(stack.resources));
  const found = resources.filter(({ Type }) => Type in policies);
  expect(found).toHaveLength(tables.length + 3 + buckets.length + 1 + secrets.length);
  for (const resource of found) {
    expect(resource).toMatchObject({ DeletionPolicy: policies[resource.Type], UpdateReplacePolicy: "Retain" });
  }
});

test("every key rotates", () => {
  for (const { properties } of resourcesOfType(service, "AWS::KMS::Key"))
    expect(properties.EnableKeyRotation).toBe(true);
});

test("a secret is encrypted with the data key, named by the deployment, and has a generated value", {
  tags: "deep",
}, () => {
  const { properties } = findResource(service, "AWS::SecretsManager::Secret", "SecretproviderApps");
  expect(properties).toEqual({
    Name: "tributary/provider-apps",
    Description: expect.any(String),
    KmsKeyId: dataKey.arn,
  });
  const staging = synthesizeService({ name: "Staging" });
  expect(resourcesOfType(staging, "AWS::SecretsManager::Secret").map(({ name }) => name)).toEqual([
    "staging/provider-apps",
  ]);
});

describe("every bucket", () => {
  test("blocks public access, is versioned and deletes old versions within a day", () => {
    for (const { properties } of resourcesOfType(service, "AWS::S3::Bucket")) {
      expect(properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        VersioningConfiguration: { Status: "Enabled" },
        LifecycleConfiguration: {
          Rules: expect.arrayContaining([
            expect.objectContaining({ Status: "Enabled", NoncurrentVersionExpiration: { NoncurrentDays: 1 } }),
          ]),
        },
      });
    }
  });

  test("keeps no mark of a deleted object, whose name contains ids, longer than its old versions", () => {
    for (const { logicalId, properties } of resourcesOfType(service, "AWS::S3::Bucket")) {
      const { Rules } = properties.LifecycleConfiguration as { Rules: Record<string, unknown>[] };
      const removing = Rules.filter(
        (rule) => rule.ExpirationInDays !== undefined || rule.ExpiredObjectDeleteMarker === true,
      );
      expect(removing, logicalId).toHaveLength(1);
      expect(removing[0], logicalId).toMatchObject({ Status: "Enabled" });
    }
  });

  test.each(["Batches", "Streams", "UserExports"])(
    "%s is encrypted with the data key and writes an access log",
    (name) => {
      const logs = findResource(service, "AWS::S3::Bucket", "AccessLogs");
      expect(findResource(service, "AWS::S3::Bucket", name).properties).toMatchObject({
        LoggingConfiguration: { DestinationBucketName: logs.name },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { ServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms", KMSMasterKeyID: dataKey.arn } },
          ],
        },
      });
    },
  );

  test("rejects unencrypted connections", () => {
    const policies = resourcesOfType(service, "AWS::S3::BucketPolicy").map(({ properties }) => properties);
    expect(policies).toHaveLength(resourcesOfType(service, "AWS::S3::Bucket").length);
    for (const policy of policies) {
      expect(policy).toMatchObject({
        PolicyDocument: {
          Statement: expect.arrayContaining([
            expect.objectContaining({
              Effect: "Deny",
              Action: "s3:*",
              Condition: { Bool: { "aws:SecureTransport": "false" } },
            }),
          ]),
        },
      });
    }
  });
});
