import { CfnResource } from "aws-cdk-lib/core";
import { expect, test } from "vitest";
import { queues } from "../../../lib/contract/queues.ts";
import type { BucketResource } from "../../../lib/contract/resource-kinds.ts";
import { buckets, tables } from "../../../lib/contract/resources.ts";
import { consumersBy, contractsWith, functionPath } from "../support/function-paths.ts";
import { allFindings, openFindings, readAcknowledgements, sortedPaths } from "../support/nag-findings.ts";
import { synthesizeService } from "../support/synthesize.ts";

const NAME = "Tributary";
const { app, templates } = synthesizeService({ name: NAME, reportReader: "textract" });

function allOf(type: string): string[] {
  const resources = app.node.findAll().filter(CfnResource.isCfnResource);
  const found = resources.filter(({ cfnResourceType }) => cfnResourceType === type);
  return found.map(({ node }) => node.path.slice(NAME.length + 1));
}

/** Name under which a stack exports an attribute of a resource. @param id its logical id without the hash. */
function exportName(stack: string, id: string, attribute: string): string {
  const { text = "{}" } = templates.find(({ name }) => name === `${NAME}-${stack}`) ?? {};
  const outputs: { Value: Record<string, string[]>; Export?: { Name: string } }[] = Object.values(
    JSON.parse(text).Outputs,
  );
  const isIt = new RegExp(`^${id}[0-9A-F]{8}\\.${attribute}$`);
  const found = outputs.find(({ Value }) => isIt.test(Value["Fn::GetAtt"]?.join(".") ?? ""));
  return found?.Export?.Name ?? `no export of ${id}`;
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const functions = allOf("AWS::Lambda::Function");
const pathsBy = (suffix: string, ...kinds: string[]) =>
  consumersBy(...kinds).map((contract) => `${functionPath(contract)}${suffix}`);
const scheduled = pathsBy("/Function/Resource", "schedule");
const unscheduled = functions.filter((path) => !scheduled.includes(path));
const ofRules = ["UndeliveredChanges", "UndeliveredEvents", "UndeliveredForwards", "UnroutedEvents"].map(
  (id) => `Events/${id}/Queue/Resource`,
);
const usualQueues = queues.filter(({ forwardsTo }) => forwardsTo === undefined);

/** Rule about all objects of a bucket, and the functions with a grant on single ones. */
const objectFindings = (bucket: BucketResource): [string, string[]] => [
  `AwsSolutions-IAM5[Resource::${exportName("Data", capitalized(bucket.name), "Arn")}/*]`,
  contractsWith(({ resource, action }) => resource === bucket && action !== "s3:ListBucket").map(
    (contract) => `${functionPath(contract)}/Policy/Resource`,
  ),
];
const execution = "arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution";

/** All acknowledged findings. Any other finding is a defect. */
const acknowledged: Readonly<Record<string, readonly string[]>> = {
  "HIPAA.Security-LambdaInsideVPC": functions,
  "HIPAA.Security-LambdaConcurrency": functions,
  "HIPAA.Security-LambdaDLQ": unscheduled,
  "Serverless-LambdaDLQ": unscheduled,
  "Serverless-LambdaTracing": scheduled,
  "AwsSolutions-APIG4": allOf("AWS::ApiGatewayV2::Route"),
  "AwsSolutions-SQS3": [...pathsBy("/Missed/Queue/Resource", "stream"), ...ofRules],
  "Serverless-SQSRedrivePolicy": [
    ...pathsBy("/Missed/Queue/Resource", "stream", "schedule"),
    ...usualQueues.map(({ name }) => `Events/Queue-${name}/DeadLetters/Queue/Resource`),
    ...ofRules,
  ],
  "Serverless-LambdaEventSourceMappingDestination": pathsBy("/Mapping", "queue"),
  "HIPAA.Security-DynamoDBInBackupPlan": tables.map(({ name }) => `Data/Table-${name}/Resource`),
  "AwsSolutions-SMG4": ["Data/Secret-providerApps"],
  "HIPAA.Security-SecretsManagerRotationEnabled": ["Data/Secret-providerApps"],
  "HIPAA.Security-S3BucketReplicationEnabled": [
    "Data/AccessLogs/Resource",
    ...buckets.map(({ name }) => `Data/${capitalized(name)}/Resource`),
  ],
  "HIPAA.Security-S3DefaultEncryptionKMS": ["Data/AccessLogs/Resource"],
  "AwsSolutions-IAM5[Resource::*]": [
    "Consumers/parseLabReport/DetectingText/Resource",
    "Deletion/MachinePolicy/Resource",
    "Operations/Tracing/Resource",
  ],
  ...Object.fromEntries(buckets.map(objectFindings)),
  [`AwsSolutions-IAM5[Resource::${execution}:${exportName("Deletion", "Machine", "Name")}:del-*]`]: contractsWith(
    ({ action }) => action === "states:StopExecution",
  ).map((contract) => `${functionPath(contract)}/Policy/Resource`),
};

test("cdk-nag finds exactly the acknowledged findings", { tags: "deep" }, () => {
  const listed = Object.entries(acknowledged).flatMap(([rule, paths]) => paths.map((path) => ({ rule, path })));
  expect(listed.length).toBeGreaterThan(1_000);
  expect(allFindings(app, NAME)).toEqual(sortedPaths(listed));
});

test("every finding has an acknowledgement, and every acknowledgement a finding", { tags: "deep" }, () => {
  expect(openFindings(app, NAME)).toEqual({});
  expect(sortedPaths(readAcknowledgements(app, NAME))).toEqual(allFindings(app, NAME));
});

test("every acknowledgement states its reason in a sentence", () => {
  for (const { reason } of readAcknowledgements(app, NAME)) expect(reason).toMatch(/^[A-Z].{38,}\.$/);
});
