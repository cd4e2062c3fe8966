import { describe, expect, test } from "vitest";
import { queues } from "../../../lib/contract/queues.ts";
import { allOptions } from "../support/all-options.ts";
import { sampleForwards } from "../support/forwards.ts";
import { parseStatements } from "../support/policy-document.ts";
import { findResource, resourcesOfType, synthesizeService } from "../support/synthesize.ts";

/** Conditions that make permissions useless for another purpose, account or user. */

const service = synthesizeService({ ...allOptions, forward: sampleForwards, lake: true });

type Statement = ReturnType<typeof parseStatements>[number];
interface Placed extends Statement {
  readonly of: string;
}

/** The statements of one kind of policy, each with its resource. */
const placed = (type: string, property: string): Placed[] =>
  resourcesOfType(service, type).flatMap(({ logicalId, properties }) =>
    parseStatements(properties[property]).map((statement) => ({ ...statement, of: logicalId })),
  );

const identity = placed("AWS::IAM::ManagedPolicy", "PolicyDocument");
const conditionKeys = ({ Condition = {} }: Statement) => Object.values(Condition).flatMap((keys) => Object.keys(keys));

describe("no function can", () => {
  test("use a key except for a purpose, which the encryption context names", () => {
    const deps = identity.filter(({ Action }) => Action.some((action) => action.startsWith("kms:")));
    expect(deps.length).toBeGreaterThan(50);
    const unbound = deps.filter((one) => !conditionKeys(one).some((key) => key.startsWith("kms:EncryptionContext:")));
    expect(unbound.map(({ of }) => of)).toEqual([]);
  });

  test("decrypt secrets of another purpose", () => {
    const purposesOf = (operationId: string) =>
      identity
        .filter(({ of }) => of.startsWith(`${operationId}Policy`))
        .flatMap(({ Condition }) => Condition?.StringEquals?.["kms:EncryptionContext:purpose"] ?? [])
        .sort();
    expect(purposesOf("forwardToTeam")).toEqual(["destination"]);
    expect(purposesOf("bulkExport")).toEqual(["connection"]);
    expect(purposesOf("pullHistory")).toContain("connection");
    expect(purposesOf("pullHistory")).not.toContain("destination");
    expect(purposesOf("getWebhookSecret")).toEqual(["webhook-secret"]);
  });

  test("use the data key for the event stream except through DynamoDB, for that table", () => {
    const key = findResource(service, "AWS::KMS::Key", "DataKey").arn;
    const table = findResource(service, "AWS::DynamoDB::Table", "Tableevents").name;
    const wired = identity.filter(
      ({ of, Resource }) => of.startsWith("relayEventsPolicy") && JSON.stringify(Resource) === JSON.stringify([key]),
    );
    expect(wired.map(({ Action, Condition }) => [Action, Condition])).toContainEqual([
      ["kms:Decrypt"],
      {
        StringEquals: {
          "kms:ViaService": "dynamodb.us-east-1.amazonaws.com",
          "kms:EncryptionContext:aws:dynamodb:tableName": table,
        },
      },
    ]);
  });

  test("list bucket objects of more than one user", () => {
    const lists = identity.filter(({ Action }) => Action.includes("s3:ListBucket"));
    expect(lists.length).toBeGreaterThan(3);
    const uuid = "????????-????-????-????-????????????";
    for (const { of, Condition } of lists) {
      expect([of, Condition]).toEqual([of, { StringLike: { "s3:prefix": `${uuid}/${uuid}/*` } }]);
    }
  });
});

/**
 * Services whose documentation shows no account or source condition in trust policies. Only principals of the same
 * account can pass them a role (IAM User Guide, "Grant a user permissions to pass a role to a service").
 */
const WITHOUT_SOURCE = new Set(["lambda.amazonaws.com", "backup.amazonaws.com"]);

const servicesOf = ({ Principal }: Statement): string[] =>
  [(Principal as { Service?: string | string[] } | undefined)?.Service ?? []].flat();
const isBoundToAccount = (statement: Statement) =>
  conditionKeys(statement).some((key) =>
    ["aws:SourceAccount", "aws:SourceArn", "AWS:SourceArn", "kms:EncryptionContext:aws:logs:arn"].includes(key),
  );

describe("every service acts for this account only", () => {
  test.each([
    ["AWS::IAM::Role", "AssumeRolePolicyDocument"],
    ["AWS::KMS::Key", "KeyPolicy"],
    ["AWS::SQS::QueuePolicy", "PolicyDocument"],
    ["AWS::SNS::TopicPolicy", "PolicyDocument"],
    ["AWS::S3::BucketPolicy", "PolicyDocument"],
  ])("%s", (type, property) => {
    const ofServices = placed(type, property).filter(({ Effect, ...one }) => {
      const isOpen = servicesOf({ Effect, ...one }).some((name) => !WITHOUT_SOURCE.has(name));
      return Effect === "Allow" && isOpen;
    });
    expect(ofServices.length).toBeGreaterThan(0);
    expect(ofServices.filter((one) => !isBoundToAccount(one)).map(({ of }) => of)).toEqual([]);
  });

  test("the role of the deletion machine, by account and state machine", () => {
    const { properties, arn } = findResource(service, "AWS::IAM::Role", "MachineRole");
    const account = arn?.split(":")[4];
    expect(parseStatements(properties.AssumeRolePolicyDocument).map(({ Condition }) => Condition)).toEqual([
      {
        StringEquals: { "aws:SourceAccount": account },
        ArnLike: { "aws:SourceArn": `arn:aws:states:us-east-1:${account}:stateMachine:*` },
      },
    ]);
  });

  test("each caller of a function, from one source", () => {
    const permissions = resourcesOfType(service, "AWS::Lambda::Permission");
    expect(permissions.length).toBeGreaterThan(100);
    const open = permissions.filter(({ properties }) => !properties.SourceArn);
    expect(open.map(({ logicalId }) => logicalId)).toEqual([]);
  });
});

describe("the deployment's own key encrypts user data in", () => {
  const key = findResource(service, "AWS::KMS::Key", "DataKey").arn;

  test("queues whose messages carry user data, and their dead-letter queues", () => {
    const carrying = queues.filter(({ carriesUserData }) => carriesUserData).map(({ name }) => name);
    expect(carrying).toEqual(["ingestion"]);
    for (const name of carrying) {
      for (const id of [`Queue${name}Queue`, `Queue${name}DeadLettersQueue`]) {
        const { properties } = findResource(service, "AWS::SQS::Queue", id);
        expect(properties).toMatchObject({ KmsMasterKeyId: key, KmsDataKeyReusePeriodSeconds: 3600 });
      }
    }
  });

  test("log groups, tables, the alarm topic, and buckets except that of access logs", () => {
    for (const { logicalId, properties } of resourcesOfType(service, "AWS::Logs::LogGroup")) {
      expect([logicalId, properties.KmsKeyId]).toEqual([logicalId, key]);
    }
    for (const { properties } of resourcesOfType(service, "AWS::DynamoDB::Table")) {
      expect(properties.SSESpecification).toMatchObject({ SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: key });
    }
    const other = resourcesOfType(service, "AWS::S3::Bucket").filter(
      ({ properties }) => !JSON.stringify(properties.BucketEncryption).includes(`"KMSMasterKeyID":"${key}"`),
    );
    expect(other.map(({ logicalId }) => logicalId)).toEqual([expect.stringMatching(/^AccessLogs/)]);
    expect(resourcesOfType(service, "AWS::SNS::Topic").map(({ properties }) => properties.KmsMasterKeyId)).toEqual([
      key,
    ]);
  });

  test("queues, and SQS may use it for every principal with access to the queue", () => {
    const { properties } = findResource(service, "AWS::KMS::Key", "DataKey");
    const via = parseStatements(properties.KeyPolicy).flatMap(
      ({ Condition }) => Condition?.StringEquals?.["kms:ViaService"] ?? [],
    );
    expect(via).toContain("sqs.us-east-1.amazonaws.com");
  });
});
