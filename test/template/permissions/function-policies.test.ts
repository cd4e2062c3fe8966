import { describe, expect, test } from "vitest";
import type { Grant } from "../../../lib/contract/access.ts";
import { effectiveGrants } from "../../../lib/contract/access-log-mode.ts";
import type { ConsumerContract } from "../../../lib/contract/consumer.ts";
import type { EndpointContract } from "../../../lib/contract/endpoint.ts";
import type { ForwardKind } from "../../../lib/contract/resource-kinds.ts";
import type { ResolvedResource } from "../../../lib/local/template/read-assembly.ts";
import { sampleForwards } from "../support/forwards.ts";
import { deployedContracts } from "../support/function-paths.ts";
import { locateGrantedResource } from "../support/locate-resource.ts";
import { parseStatements } from "../support/policy-document.ts";
import { findResource, resourcesOfType, synthesizeService } from "../support/synthesize.ts";

const service = synthesizeService({ forward: sampleForwards, lake: true });

/** Matches the id of a team. */
const ANY_UUID = "????????-????-????-????-????????????";

/** One permission as text: action, resource, and keys for items. */
const words = (action: string, resource: unknown, keys: unknown = "") => `${action} ${resource} ${keys}`.trim();

/** The policies of a function: one, or several if one exceeds IAM's limit. */
function partsOf(operationId: string) {
  const isPart = new RegExp(`^${operationId}Policy\\d?[0-9A-F]{8}$`);
  return resourcesOfType(service, "AWS::IAM::ManagedPolicy").filter(({ logicalId }) => isPart.test(logicalId));
}

/** Every permission in the policies of a function. */
function allowed(operationId: string): string[] {
  const statements = partsOf(operationId).flatMap(({ properties }) => parseStatements(properties.PolicyDocument));
  const permissions = statements.flatMap((one) => {
    const keys = [one.Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? ""].flat();
    return one.Resource.flatMap((resource) =>
      one.Action.flatMap((action) => keys.map((key) => words(action, resource, key))),
    );
  });
  return permissions.sort();
}

function granted(grant: Grant): string {
  const { arn } = locateGrantedResource(service, grant.resource);
  switch (grant.resource.kind) {
    case "entity": {
      const index = "index" in grant ? grant.index : undefined;
      const { table, keyPrefix } = grant.resource;
      if (index === undefined) return words(grant.action, arn, `${keyPrefix}*`);
      const keys = table.indexes[index]?.isOfTeam ? ANY_UUID : `${keyPrefix}*`;
      return words(grant.action, `${arn}/index/${index}`, keys);
    }
    case "bucket":
      return words(grant.action, grant.action === "s3:ListBucket" ? arn : `${arn}/*`);
    case "machine": {
      const execution = `${arn.replace(":stateMachine:", ":execution:")}:del-*`;
      return words(grant.action, grant.action === "states:StopExecution" ? execution : arn);
    }
    default:
      return words(grant.action, arn);
  }
}

/** Permissions of a function for its trigger and its log. */
function wired(contract: EndpointContract | ConsumerContract): string[] {
  const { arn: log } = findResource(service, "AWS::Logs::LogGroup", `${contract.operationId}Logs`);
  const logging = ["logs:CreateLogStream", "logs:PutLogEvents"].map((action) => words(action, log));
  return contract.kind === "endpoint" ? logging : [...logging, ...feeding(contract)];
}

/** Permissions of forwarders for the targets in test/template/support/forwards.ts. */
const reaching: Readonly<Record<ForwardKind | "none", readonly string[]>> = {
  kinesis: [
    "kinesis:PutRecords arn:aws:kinesis:eu-west-1:111122223333:stream/lab",
    "kms:GenerateDataKey arn:aws:kms:eu-west-1:111122223333:key/0a1b",
    "kinesis:PutRecords arn:aws:kinesis:eu-west-1:111122223333:stream/daily",
  ],
  sqs: ["sqs:SendMessage arn:aws:sqs:eu-west-1:111122223333:weights.fifo"],
  bus: ["events:PutEvents arn:aws:events:eu-west-1:111122223333:event-bus/alerts"],
  lake: [],
  none: [],
};

function feeding({ operationId, trigger }: ConsumerContract): string[] {
  const missed = () =>
    words("sqs:SendMessage", findResource(service, "AWS::SQS::Queue", `${operationId}MissedQueue`).arn);
  switch (trigger.kind) {
    case "queue": {
      const { arn } = locateGrantedResource(service, trigger.queue);
      const reading = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
      const deadLetters = findResource(service, "AWS::SQS::Queue", `Queue${trigger.queue.name}DeadLettersQueue`);
      const sending = words("sqs:SendMessage", deadLetters.arn);
      return [...reading.map((action) => words(action, arn)), sending, ...reaching[trigger.queue.forwardsTo ?? "none"]];
    }
    case "stream": {
      const { arn } = findResource(service, "AWS::DynamoDB::Table", `Table${trigger.table.name}`);
      const verbs = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
      const reading = verbs.map((verb) => words(`dynamodb:${verb}`, `${arn}/stream/local`));
      const key = findResource(service, "AWS::KMS::Key", "DataKey").arn;
      return [...reading, words("kms:Decrypt", key), missed()];
    }
    case "schedule":
      return [missed()];
    case "task":
    case "setting":
      return [];
  }
}

const attachedTo = (role: ResolvedResource) =>
  resourcesOfType(service, "AWS::IAM::ManagedPolicy").filter(
    ({ properties }) => Array.isArray(properties.Roles) && properties.Roles.includes(role.name),
  );

describe("the policies of a function,", () => {
  test.each(deployedContracts)("$operationId: allow its grants, its wiring and nothing else", (contract) => {
    const grants = effectiveGrants(contract);
    expect(allowed(contract.operationId)).toEqual([...new Set([...grants.map(granted), ...wired(contract)])].sort());
  });

  test.each(deployedContracts)(
    "$operationId: allow nothing twice, and no entity lies within another",
    ({ operationId }) => {
      const all = allowed(operationId);
      const isWithin = (one: string, other: string) =>
        one !== other && other.endsWith("*") && one.startsWith(other.slice(0, -1));
      expect(all.filter((one) => all.some((other) => isWithin(one, other)))).toEqual([]);
    },
  );

  test.each(deployedContracts)(
    "$operationId: are the role's only policies besides that for traces",
    ({ operationId }) => {
      const role = findResource(service, "AWS::IAM::Role", `${operationId}Role`);
      const attached = attachedTo(role);
      expect(attached.length).toBeGreaterThan(0);
      expect(attached).toEqual(partsOf(operationId));
      const tracing = findResource(service, "AWS::IAM::ManagedPolicy", "Tracing");
      expect(role.properties.ManagedPolicyArns).toEqual([tracing.ref]);
    },
  );
});
