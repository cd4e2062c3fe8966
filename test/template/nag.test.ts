import { CfnResource } from "aws-cdk-lib/core";
import { AwsSolutionsChecks, HIPAASecurityChecks, ServerlessChecks } from "cdk-nag";
import { expect, test } from "vitest";
import { consumers } from "../../functions/index.ts";
import { acknowledgeFindings, acknowledgements } from "../../lib/stacks/acknowledgements.ts";
import { synthesized } from "./synthesized.ts";

const NAME = "Tributary";
const { app } = synthesized({ name: NAME, reportReader: "textract" });

const pathOf = (path: string) => path.slice(NAME.length + 1);

/** Findings of the three rule packs without an acknowledgement: paths by rule. */
function findings(): Record<string, string[]> {
  const packs = [new AwsSolutionsChecks(), new HIPAASecurityChecks(), new ServerlessChecks()];
  const violations = packs.flatMap((pack) => pack.validateScope(app).violations);
  return Object.fromEntries(
    violations.map(({ ruleName, violatingResources }) => [
      ruleName,
      violatingResources.map(({ constructPath = "" }) => pathOf(constructPath)).sort(),
    ]),
  );
}

const before = findings();
const recorded = acknowledgeFindings(app, NAME);

function allOf(type: string): string[] {
  const resources = app.node.findAll().filter(CfnResource.isCfnResource);
  return resources.filter(({ cfnResourceType }) => cfnResourceType === type).map(({ node }) => pathOf(node.path));
}

const functions = allOf("AWS::Lambda::Function").sort();
const scheduled = consumers.filter(({ trigger }) => trigger.kind === "schedule");
const unscheduled = functions.filter((path) => !scheduled.some(({ operationId }) => path.includes(`/${operationId}/`)));
const batchObjects = "Tributary-Data:ExportsOutputFnGetAttBatchesE11AE858Arn62AFAD38/*";
const streamObjects = "Tributary-Data:ExportsOutputFnGetAttStreams72478C78Arn51AA7658/*";
const placementObjects = "Tributary-Data:ExportsOutputFnGetAttOrderPlacements1D5279B2Arn3A4876AD/*";
const reportObjects = "Tributary-Data:ExportsOutputFnGetAttReportFiles3CD5DFF8ArnE56D909A/*";
const uploadObjects = "Tributary-Data:ExportsOutputFnGetAttReportUploads725518D4ArnDD0139C2/*";
const exportObjects = "Tributary-Data:ExportsOutputFnGetAttUserExports24DB1F22ArnE2423D83/*";
const execution = "arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution";
const executions = `${execution}:Tributary-Deletion:ExportsOutputFnGetAttMachine6FC8AE80NameAED168B8:del-*`;

/** All acknowledged findings. Any other finding is a defect. */
const acknowledged: Readonly<Record<string, readonly string[]>> = {
  "HIPAA.Security-LambdaInsideVPC": functions,
  "HIPAA.Security-LambdaConcurrency": functions,
  "HIPAA.Security-LambdaDLQ": unscheduled,
  "Serverless-LambdaDLQ": unscheduled,
  "Serverless-LambdaTracing": functions.filter((path) => !unscheduled.includes(path)),
  "AwsSolutions-APIG4": allOf("AWS::ApiGatewayV2::Route").sort(),
  "AwsSolutions-SQS3": [
    "Consumers/relayEvents/Missed/Queue/Resource",
    "Events/UndeliveredChanges/Queue/Resource",
    "Events/UndeliveredEvents/Queue/Resource",
    "Events/UndeliveredForwards/Queue/Resource",
    "Events/UnroutedEvents/Queue/Resource",
  ],
  "Serverless-SQSRedrivePolicy": [
    "Consumers/eraseTeams/Missed/Queue/Resource",
    "Consumers/relayEvents/Missed/Queue/Resource",
    "Consumers/sealAccessLog/Missed/Queue/Resource",
    "Consumers/sweepContinuousQueries/Missed/Queue/Resource",
    "Consumers/sweepDeletions/Missed/Queue/Resource",
    "Consumers/sweepDeliveries/Missed/Queue/Resource",
    "Consumers/sweepEvents/Missed/Queue/Resource",
    "Consumers/sweepLabReports/Missed/Queue/Resource",
    "Consumers/sweepLabWork/Missed/Queue/Resource",
    "Consumers/sweepPolls/Missed/Queue/Resource",
    "Consumers/sweepPulls/Missed/Queue/Resource",
    "Events/Queue-bulkWork/DeadLetters/Queue/Resource",
    "Events/Queue-changedPulls/DeadLetters/Queue/Resource",
    "Events/Queue-connectionPulls/DeadLetters/Queue/Resource",
    "Events/Queue-exportRuns/DeadLetters/Queue/Resource",
    "Events/Queue-historyEnds/DeadLetters/Queue/Resource",
    "Events/Queue-historyPulls/DeadLetters/Queue/Resource",
    "Events/Queue-ingestion/DeadLetters/Queue/Resource",
    "Events/Queue-labWork/DeadLetters/Queue/Resource",
    "Events/Queue-matchTestRuns/DeadLetters/Queue/Resource",
    "Events/Queue-queryChanges/DeadLetters/Queue/Resource",
    "Events/Queue-queryRuns/DeadLetters/Queue/Resource",
    "Events/Queue-reportParses/DeadLetters/Queue/Resource",
    "Events/Queue-teamForwards/DeadLetters/Queue/Resource",
    "Events/Queue-webhookAttempts/DeadLetters/Queue/Resource",
    "Events/Queue-webhookTaskSteps/DeadLetters/Queue/Resource",
    "Events/Queue-webhooks/DeadLetters/Queue/Resource",
    "Events/UndeliveredChanges/Queue/Resource",
    "Events/UndeliveredEvents/Queue/Resource",
    "Events/UndeliveredForwards/Queue/Resource",
    "Events/UnroutedEvents/Queue/Resource",
  ],
  "Serverless-LambdaEventSourceMappingDestination": [
    "Consumers/attemptDelivery/Mapping",
    "Consumers/doLabWork/Mapping",
    "Consumers/forwardToTeam/Mapping",
    "Consumers/markChangedDays/Mapping",
    "Consumers/parseLabReport/Mapping",
    "Consumers/planDeliveries/Mapping",
    "Consumers/pullChanges/Mapping",
    "Consumers/pullConnection/Mapping",
    "Consumers/pullHistory/Mapping",
    "Consumers/runBulkStep/Mapping",
    "Consumers/runContinuousQuery/Mapping",
    "Consumers/runExport/Mapping",
    "Consumers/runUnmatchedResultTest/Mapping",
    "Consumers/runWebhookTask/Mapping",
    "Consumers/storeBatch/Mapping",
    "Consumers/tellHistory/Mapping",
  ],
  "HIPAA.Security-DynamoDBInBackupPlan": [
    "Data/Table-audit/Resource",
    "Data/Table-directory/Resource",
    "Data/Table-erasures/Resource",
    "Data/Table-events/Resource",
    "Data/Table-labs/Resource",
    "Data/Table-samples/Resource",
    "Data/Table-summaries/Resource",
    "Data/Table-usage/Resource",
    "Data/Table-userKeys/Resource",
  ],
  "AwsSolutions-SMG4": ["Data/Secret-providerApps"],
  "HIPAA.Security-SecretsManagerRotationEnabled": ["Data/Secret-providerApps"],
  "HIPAA.Security-S3BucketReplicationEnabled": [
    "Data/AccessLogs/Resource",
    "Data/Batches/Resource",
    "Data/OrderPlacements/Resource",
    "Data/ReportFiles/Resource",
    "Data/ReportUploads/Resource",
    "Data/Streams/Resource",
    "Data/UserExports/Resource",
  ],
  "HIPAA.Security-S3DefaultEncryptionKMS": ["Data/AccessLogs/Resource"],
  "AwsSolutions-IAM5[Resource::*]": [
    "Consumers/parseLabReport/DetectingText/Resource",
    "Deletion/MachinePolicy/Resource",
    "Operations/Tracing/Resource",
  ],
  [`AwsSolutions-IAM5[Resource::${batchObjects}]`]: [
    "Api-ingest/ingestBatch/Policy/Resource",
    "Api-link/connectDemoProvider/Policy/Resource",
    "Api-link/receiveProviderPush/Policy/Resource",
    "Api-sdk/syncBatch/Policy/Resource",
    "Consumers/pullChanges/Policy/Resource",
    "Consumers/pullConnection/Policy/Resource",
    "Consumers/pullHistory/Policy/Resource",
    "Consumers/storeBatch/Policy/Resource",
    "Deletion/eraseUser/Policy/Resource",
  ],
  [`AwsSolutions-IAM5[Resource::${streamObjects}]`]: [
    "Api-timeseries/getStreamBySleepId/Policy/Resource",
    "Api-timeseries/getStreamByWorkoutId/Policy/Resource",
    "Consumers/storeBatch/Policy/Resource",
    "Deletion/eraseUser/Policy/Resource",
  ],
  [`AwsSolutions-IAM5[Resource::${placementObjects}]`]: [
    "Api-order-documents/getOrderRequistionPdf/Policy/Resource",
    "Api-orders/createOrder/Policy/Resource",
    "Api-orders/createTestkitOrder/Policy/Resource",
    "Api-orders/importOrder/Policy/Resource",
    "Api-orders/recreateOrder/Policy/Resource",
    "Api-orders/redrawOrder/Policy/Resource",
    "Api-orders/registerTestkit/Policy/Resource",
    "Api-results/receiveResult/Policy/Resource",
    "Consumers/doLabWork/Policy/Resource",
    "Consumers/runUnmatchedResultTest/Policy/Resource",
    "Deletion/eraseUser/Policy/Resource",
  ],
  [`AwsSolutions-IAM5[Resource::${exportObjects}]`]: [
    "Api-exports/getExport/Policy/Resource",
    "Consumers/runExport/Policy/Resource",
    "Deletion/eraseUser/Policy/Resource",
  ],
  [`AwsSolutions-IAM5[Resource::${reportObjects}]`]: [
    "Api-lab-reports/getReview/Policy/Resource",
    "Api-lab-reports/getReviewPart/Policy/Resource",
    "Api-lab-reports/parserCreateJob/Policy/Resource",
    "Api-lab-reports/startReportUpload/Policy/Resource",
    "Consumers/parseLabReport/Policy/Resource",
    "Deletion/eraseUser/Policy/Resource",
  ],
  [`AwsSolutions-IAM5[Resource::${uploadObjects}]`]: [
    "Api-lab-reports/createReportUpload/Policy/Resource",
    "Api-lab-reports/startReportUpload/Policy/Resource",
    "Deletion/eraseUser/Policy/Resource",
  ],
  [`AwsSolutions-IAM5[Resource::${executions}]`]: ["Api-users/undoDelete/Policy/Resource"],
};

test("cdk-nag finds exactly the acknowledged findings", () => {
  expect(before).toEqual(acknowledged);
});

test("every finding has an acknowledgement, and every acknowledgement a finding", () => {
  expect(findings()).toEqual({});
  expect(recorded).toBe(Object.values(before).flat().length);
});

test("every acknowledgement states its reason in a sentence", () => {
  for (const { reason } of acknowledgements(NAME)) expect(reason).toMatch(/^[A-Z].{38,}\.$/);
});
