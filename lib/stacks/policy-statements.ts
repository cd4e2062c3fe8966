import * as iam from "aws-cdk-lib/aws-iam";
import { Aws } from "aws-cdk-lib/core";
import { environmentName, type Grant } from "../contract/access.ts";
import type { EntityResource } from "../contract/resource-kinds.ts";
import type { AwsTarget } from "../events/forwarding.ts";
import type { World } from "./world.ts";

/**
 * The minimum permissions for a function's grants: explicit actions on explicit resources, limited to key prefixes.
 * Statements on items come last. They are the most, and the few statements with a wildcard must stay in the first
 * policy, where each is acknowledged.
 */
export function statementsFor(grants: readonly Grant[], world: World): iam.PolicyStatement[] {
  const [others = [], onItems = []] = [false, true].map((is) =>
    grants.filter(({ on }) => (on.kind === "entity") === is),
  );
  const byTarget = Map.groupBy([...others, ...onItems], (grant) => `${targetName(grant)}`);
  return [...byTarget.values()].map((group) => {
    const [first] = group as [Grant];
    const actions = [...new Set(group.map(({ action }) => action))].sort();
    const entities = group.flatMap(({ on }) => (on.kind === "entity" ? on : []));
    const conditions = entities.length > 0 ? leadingKeys(entities) : narrowed(first);
    return new iam.PolicyStatement({ actions, resources: [resourceArn(first, world)], ...conditions });
  });
}

/** The environment variables of a function: the location of each granted resource. */
export function environmentFor(grants: readonly Grant[], world: World): Record<string, string> {
  return Object.fromEntries(grants.map((grant) => [environmentName(grant.on), location(grant, world)]));
}

/**
 * Groups grants: grants with the same key share one statement. An index is separate from its table, and the names in a
 * bucket are separate from its objects. All BatchGetItem grants of a table share one statement, because IAM must allow
 * all items of a batch by one statement.
 */
function targetName(grant: Grant): string {
  if (grant.action === "dynamodb:BatchGetItem") return `together:${grant.on.table.name}`;
  const on = grant.on.kind === "entity" ? `${grant.on.table.name}/${grant.on.keyPrefix}` : grant.on.name;
  const part = "index" in grant ? grant.index : "purposes" in grant ? grant.purposes.join() : namesOnly(grant);
  return `${grant.on.kind}:${on}:${part}`;
}

const namesOnly = (grant: Grant) => (listsBucket(grant) ? "names" : "");

/** Whether a grant lists a bucket. Listing applies to the bucket, other actions to its objects. */
const listsBucket = ({ action }: Grant) => action === "s3:ListBucket";

function leadingKeys(entities: readonly EntityResource[]) {
  const keys = [...new Set(entities.map(({ keyPrefix }) => `${keyPrefix}*`))];
  return { conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys } } };
}

/** Conditions of a grant: the purposes of a key, and one user's prefix for listing a bucket. */
function narrowed(grant: Grant) {
  if (grant.on.kind === "key" && "purposes" in grant) {
    return { conditions: { StringEquals: { "kms:EncryptionContext:purpose": [...grant.purposes] } } };
  }
  return listsBucket(grant) ? { conditions: { StringLike: { "s3:prefix": OF_ONE_USER } } } : {};
}

const ANY_UUID = [8, 4, 4, 4, 12].map((length) => "?".repeat(length)).join("-");
/** Prefix pattern of all object names: team id and user id. */
const OF_ONE_USER = `${ANY_UUID}/${ANY_UUID}/*`;

function resourceArn(grant: Grant, world: World): string {
  switch (grant.on.kind) {
    case "entity": {
      const { tableArn } = world.table(grant.on.table);
      const index = "index" in grant ? grant.index : undefined;
      return index === undefined ? tableArn : `${tableArn}/index/${index}`;
    }
    case "queue":
      return world.queue(grant.on).queueArn;
    case "bus":
      return world.bus.eventBusArn;
    case "bucket": {
      const bucket = world.bucket(grant.on);
      return listsBucket(grant) ? bucket.bucketArn : bucket.arnForObjects("*");
    }
    case "machine":
      return grant.action === "states:StartExecution" ? world.deletionMachineArn : world.deletionExecutionsArn;
    case "key":
      return world.key(grant.on).keyArn;
    case "secret":
      return world.secret(grant.on).ref;
  }
}

function location(grant: Grant, world: World): string {
  switch (grant.on.kind) {
    case "entity":
      return world.table(grant.on.table).tableName;
    case "queue":
      return world.queue(grant.on).queueUrl;
    case "bus":
      return world.bus.eventBusName;
    case "bucket":
      return world.bucket(grant.on).bucketName;
    case "machine":
      return world.deletionMachineArn;
    case "key":
      return world.key(grant.on).keyArn;
    case "secret":
      return world.secret(grant.on).ref;
  }
}

/** Actions of an event source mapping, which uses the role of its function. */
export const queueReading = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
export const streamReading = [
  "dynamodb:DescribeStream",
  "dynamodb:GetRecords",
  "dynamodb:GetShardIterator",
  "dynamodb:ListStreams",
] as const;

/**
 * Conditions for decrypting the stream of a table: only through DynamoDB and with DynamoDB's encryption context
 * (DynamoDB Developer Guide, "Encryption at rest: how it works").
 */
export const decryptingTable = (tableName: string) => ({
  StringEquals: {
    "kms:ViaService": `dynamodb.${Aws.REGION}.amazonaws.com`,
    "kms:EncryptionContext:aws:dynamodb:tableName": tableName,
  },
});

const sending = { kinesis: "kinesis:PutRecords", sqs: "sqs:SendMessage", bus: "events:PutEvents" } as const;
/** Key actions for writing to an encrypted stream or queue. */
const encrypting = { kinesis: ["kms:GenerateDataKey"], sqs: ["kms:GenerateDataKey", "kms:Decrypt"] } as const;

/** A permission that follows from wiring and not from a grant. */
interface WiredPermission {
  readonly actions: readonly string[];
  readonly on: string;
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The permissions for forwarding events to a target. The key is limited to the encryption context of the target. */
export function forwardingTo(target: AwsTarget): WiredPermission[] {
  const toSend = { actions: [sending[target.kind]], on: target.arn };
  if (target.kind === "bus" || target.keyArn === undefined) return [toSend];
  const conditions = { StringEquals: { [`kms:EncryptionContext:aws:${target.kind}:arn`]: target.arn } };
  return [toSend, { actions: encrypting[target.kind], on: target.keyArn, conditions }];
}
