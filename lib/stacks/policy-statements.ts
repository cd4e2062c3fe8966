import * as iam from "aws-cdk-lib/aws-iam";
import { Aws } from "aws-cdk-lib/core";
import { type Grant, resourceVariable } from "../contract/access.ts";
import type { AwsTarget } from "../events/forwarding/forward-rules.ts";
import type { DeploymentResources } from "./deployment-resources.ts";

/** One statement of a policy. */
export interface Permission {
  readonly statement: iam.PolicyStatement;
  /** One sentence: why its resource contains a `*`. Undefined if it contains none. */
  readonly wildcardReason?: string | undefined;
}

/**
 * The minimum permissions for a function's grants: explicit actions on explicit resources, limited to key prefixes.
 * Statements on items come last, because they are the most.
 * @param keysOf patterns of the partition keys that a grant on items reaches.
 */
export function permissionsFor(
  grants: readonly Grant[],
  world: DeploymentResources,
  keysOf: (grant: Grant) => readonly string[] = leadingKeys,
): Permission[] {
  const [others = [], onItems = []] = [false, true].map((is) =>
    grants.filter(({ resource }) => (resource.kind === "entity") === is),
  );
  const byTarget = Map.groupBy([...others, ...onItems], (grant) => `${statementKey(grant)}`);
  return [...byTarget.values()].map((group) => {
    const [first] = group as [Grant];
    const actions = [...new Set(group.map(({ action }) => action))].sort();
    const keys = group.flatMap(keysOf);
    const conditions = keys.length > 0 ? leadingKeysCondition(keys) : grantConditions(first);
    const statement = new iam.PolicyStatement({ actions, resources: [resourceArn(first, world)], ...conditions });
    return { statement, wildcardReason: wildcardReason(first) };
  });
}

/** The environment variables of a function: the location of each granted resource. */
export function environmentFor(grants: readonly Grant[], world: DeploymentResources): Record<string, string> {
  return Object.fromEntries(grants.map((grant) => [resourceVariable(grant.resource), resourceLocation(grant, world)]));
}

/**
 * Groups grants: grants with the same key share one statement. An index is separate from its table, and the names in a
 * bucket are separate from its objects. All BatchGetItem grants of a table share one statement, because IAM must allow
 * all items of a batch by one statement.
 */
function statementKey(grant: Grant): string {
  if (grant.action === "dynamodb:BatchGetItem") return `together:${grant.resource.table.name}`;
  const on =
    grant.resource.kind === "entity" ? `${grant.resource.table.name}/${grant.resource.keyPrefix}` : grant.resource.name;
  const part = "index" in grant ? grant.index : "purposes" in grant ? grant.purposes.join() : objectPart(grant);
  return `${grant.resource.kind}:${on}:${part}`;
}

const objectPart = (grant: Grant) => (listsBucket(grant) ? "names" : "");

/** Whether a grant lists a bucket. Listing applies to the bucket, other actions to its objects. */
const listsBucket = ({ action }: Grant) => action === "s3:ListBucket";

/** Patterns of the partition keys of all teams that a grant on items reaches. */
export function leadingKeys(grant: Grant): string[] {
  if (grant.resource.kind !== "entity") return [];
  const { table, keyPrefix } = grant.resource;
  const index = "index" in grant && grant.index !== undefined ? table.indexes[grant.index] : undefined;
  return [index?.isOfTeam ? ANY_UUID : `${keyPrefix}*`];
}

const leadingKeysCondition = (keys: readonly string[]) => ({
  conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...new Set(keys)] } },
});

/** Conditions of a grant: the purposes of a key, and one user's prefix for listing a bucket. */
function grantConditions(grant: Grant) {
  if (grant.resource.kind === "key" && "purposes" in grant) {
    return { conditions: { StringEquals: { "kms:EncryptionContext:purpose": [...grant.purposes] } } };
  }
  return listsBucket(grant) ? { conditions: { StringLike: { "s3:prefix": ONE_USER_PREFIX } } } : {};
}

/** Matches the id of any team. */
export const ANY_UUID = [8, 4, 4, 4, 12].map((length) => "?".repeat(length)).join("-");
/** Prefix pattern of all object names: team id and user id. */
const ONE_USER_PREFIX = `${ANY_UUID}/${ANY_UUID}/*`;

function resourceArn(grant: Grant, world: DeploymentResources): string {
  switch (grant.resource.kind) {
    case "entity": {
      const { tableArn } = world.table(grant.resource.table);
      const index = "index" in grant ? grant.index : undefined;
      return index === undefined ? tableArn : `${tableArn}/index/${index}`;
    }
    case "queue":
      return world.queue(grant.resource).queueArn;
    case "bus":
      return world.bus.eventBusArn;
    case "bucket": {
      const bucket = world.bucket(grant.resource);
      return listsBucket(grant) ? bucket.bucketArn : bucket.arnForObjects("*");
    }
    case "machine":
      return grant.action === "states:StartExecution" ? world.deletionMachineArn : world.deletionExecutionsArn;
    case "key":
      return world.key(grant.resource).keyArn;
    case "secret":
      return world.secret(grant.resource).ref;
  }
}

/** Why the ARN of a grant contains a `*`. */
function wildcardReason(grant: Grant): string | undefined {
  if (grant.resource.kind === "bucket") return listsBucket(grant) ? undefined : grant.resource.wildcardReason;
  if (grant.action !== "states:StopExecution") return undefined;
  return "Stops executions of one state machine, which are named after their deletion: del-<deletion id>.";
}

function resourceLocation(grant: Grant, world: DeploymentResources): string {
  switch (grant.resource.kind) {
    case "entity":
      return world.table(grant.resource.table).tableName;
    case "queue":
      return world.queue(grant.resource).queueUrl;
    case "bus":
      return world.bus.eventBusName;
    case "bucket":
      return world.bucket(grant.resource).bucketName;
    case "machine":
      return world.deletionMachineArn;
    case "key":
      return world.key(grant.resource).keyArn;
    case "secret":
      return world.secret(grant.resource).ref;
  }
}

/** Actions of an event source mapping, which uses the role of its function. */
export const QUEUE_READ_ACTIONS = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
export const STREAM_READ_ACTIONS = [
  "dynamodb:DescribeStream",
  "dynamodb:GetRecords",
  "dynamodb:GetShardIterator",
  "dynamodb:ListStreams",
] as const;

/**
 * Conditions for decrypting the stream of a table: only through DynamoDB and with DynamoDB's encryption context
 * (DynamoDB Developer Guide, "Encryption at rest: how it works").
 */
export const tableDecryptionCondition = (tableName: string) => ({
  StringEquals: {
    "kms:ViaService": `dynamodb.${Aws.REGION}.amazonaws.com`,
    "kms:EncryptionContext:aws:dynamodb:tableName": tableName,
  },
});

const SEND_ACTIONS = { kinesis: "kinesis:PutRecords", sqs: "sqs:SendMessage", bus: "events:PutEvents" } as const;
/** Key actions for writing to an encrypted stream or queue. */
const ENCRYPT_ACTIONS = { kinesis: ["kms:GenerateDataKey"], sqs: ["kms:GenerateDataKey", "kms:Decrypt"] } as const;

/** A permission that follows from wiring and not from a grant. */
interface WiredPermission {
  readonly actions: readonly string[];
  readonly on: string;
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The permissions for forwarding events to a target. The key is limited to the encryption context of the target. */
export function forwardingPermissions(target: AwsTarget): WiredPermission[] {
  const toSend = { actions: [SEND_ACTIONS[target.kind]], on: target.arn };
  if (target.kind === "bus" || target.keyArn === undefined) return [toSend];
  const conditions = { StringEquals: { [`kms:EncryptionContext:aws:${target.kind}:arn`]: target.arn } };
  return [toSend, { actions: ENCRYPT_ACTIONS[target.kind], on: target.keyArn, conditions }];
}
