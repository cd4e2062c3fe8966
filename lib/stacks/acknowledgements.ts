import { type App, CfnResource, Validations } from "aws-cdk-lib/core";

/** Findings of cdk-nag that stay, and why; docs/decisions/0002-acknowledged-findings.md tells the whole story. */
export interface Acknowledgement {
  readonly rules: readonly string[];
  /** The construct paths below the app that the reason is true of, without the app's name in front. */
  readonly paths: RegExp;
  readonly reason: string;
}

/** A function called by HTTP, a queue, a stream or a state machine; rules call the scheduled ones. */
const anyFunction = /^[\w-]+\/\w+\/Function\/Resource$/;
const everyDeadLetterQueue =
  /\/(DeadLetters|Missed|UndeliveredChanges|UndeliveredEvents|UndeliveredForwards|UnroutedEvents)\/Queue\/Resource$/;

/** @param name prefix of all stack names: findings about wildcards carry names of exports. */
export const acknowledgements = (name: string): readonly Acknowledgement[] => [
  {
    rules: ["HIPAA.Security-LambdaInsideVPC"],
    paths: anyFunction,
    reason:
      "Functions reach AWS services and public addresses only; there is no private resource to put a network around.",
  },
  {
    rules: ["HIPAA.Security-LambdaConcurrency"],
    paths: anyFunction,
    reason: "An account's limit can not be split over all functions; stage throttling and mappings bound concurrency.",
  },
  {
    rules: ["HIPAA.Security-LambdaDLQ", "Serverless-LambdaDLQ"],
    paths: /^(?!Consumers\/(?:sweep|eraseTeams|sealAccessLog))[\w-]+\/\w+\/Function\/Resource$/,
    reason:
      "Called synchronously by API, queue, stream or machine; Lambda fills such a queue from asynchronous calls alone.",
  },
  {
    rules: ["AwsSolutions-APIG4"],
    paths: /^Api-[\w-]+\/\w+\/Route[\d-]*$/,
    reason:
      "Authentication is in process, so that error bodies are ours and the local service equals the deployed one.",
  },
  {
    rules: ["AwsSolutions-SQS3"],
    paths:
      /\/(relayEvents\/Missed|UndeliveredChanges|UndeliveredEvents|UndeliveredForwards|UnroutedEvents)\/Queue\/Resource$/,
    reason: "This is a dead-letter queue itself, of a rule target or a stream; its first message raises an alarm.",
  },
  {
    rules: ["Serverless-SQSRedrivePolicy"],
    paths: everyDeadLetterQueue,
    reason: "This is a dead-letter queue itself; its first message raises an alarm and it keeps messages for 14 days.",
  },
  {
    rules: ["Serverless-LambdaEventSourceMappingDestination"],
    paths:
      /^Consumers\/(storeBatch|tellHistory|pull(History|Connection|Changes)|runBulkStep|attemptDelivery|planDeliveries|doLabWork|runExport|parseLabReport|runUnmatchedResultTest|runWebhookTask|markChangedDays|runContinuousQuery|forwardTo\w+)\/Mapping$/,
    reason: "Lambda has no failure destination for SQS sources; the queue's own redrive policy keeps what failed.",
  },
  {
    rules: ["HIPAA.Security-DynamoDBInBackupPlan"],
    paths: /^Data\/Table-\w+\/Resource$/,
    reason:
      "Point-in-time recovery covers 35 days; further copies in a vault would have to be erased user by user too.",
  },
  {
    rules: ["AwsSolutions-SMG4", "HIPAA.Security-SecretsManagerRotationEnabled"],
    paths: /^Data\/Secret-providerApps$/,
    reason: "Client secrets are given out on the pages of providers, which no function can ask for others.",
  },
  {
    rules: ["AwsSolutions-SMG4", "HIPAA.Security-SecretsManagerRotationEnabled"],
    paths: /^Data\/Secret-edge$/,
    reason: "CloudFront and functions have to change it together, which is a deployment; docs/deploy.md says how.",
  },
  {
    rules: ["Serverless-LambdaTracing"],
    paths: /^Consumers\/(sweep\w+|eraseTeams|sealAccessLog)\/Function\/Resource$/,
    reason: "Traces of runs that find nothing would be most of the price of an idle deployment; logs tell each run.",
  },
  {
    rules: ["Serverless-SNSRedrivePolicy"],
    paths: /^Operations\/AlarmEmail$/,
    reason: "An alarm stays in its state where it is seen, whether its mail arrives or not.",
  },
  {
    rules: ["AwsSolutions-CFR1", "AwsSolutions-CFR3"],
    paths: /^Edge\/Distribution\/Resource$/,
    reason: "Users are everywhere; the API writes who asked for what by route, and a log of paths would name users.",
  },
  {
    rules: ["HIPAA.Security-WAFv2LoggingEnabled"],
    paths: /^Edge\/Firewall\/WebAcl$/,
    reason: "A log of requests would hold paths, which may name users; metrics count what each rule refused.",
  },
  {
    rules: [
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]",
    ],
    paths: /^Data\/Backups\/Role\/Resource$/,
    reason: "The policy that AWS keeps for AWS Backup follows what the service needs.",
  },
  {
    rules: ["HIPAA.Security-S3BucketReplicationEnabled"],
    paths: /^Data\/(Batches|Streams|UserExports|OrderPlacements|ReportFiles|ReportUploads|AccessLogs)\/Resource$/,
    reason:
      "A replica would keep what an erasure deletes; versions of an object bring back what was deleted by mistake.",
  },
  {
    rules: ["HIPAA.Security-S3DefaultEncryptionKMS"],
    paths: /^Data\/AccessLogs\/Resource$/,
    reason: "S3 delivers server access logs only to buckets whose default encryption is its own key (SSE-S3).",
  },
  {
    rules: ["AwsSolutions-IAM5[Resource::*]"],
    paths: /^Operations\/Tracing\/Resource$/,
    reason: "The two X-Ray actions know no resources; they stand in one policy that allows nothing else.",
  },
  {
    rules: ["AwsSolutions-IAM5[Resource::*]"],
    paths: /^Consumers\/parseLabReport\/DetectingText\/Resource$/,
    reason: "The Textract action knows no resources; it stands in a policy of one function that allows nothing else.",
  },
  {
    rules: ["AwsSolutions-IAM5[Resource::*]"],
    paths: /^Deletion\/MachinePolicy\/Resource$/,
    reason: "The log delivery actions of a state machine know no resources; the statement allows nothing else.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttBatchesE11AE858Arn62AFAD38/*]`],
    paths:
      /^(Consumers\/(storeBatch|pull(History|Connection|Changes))|Api-ingest\/ingestBatch|Api-sdk\/syncBatch|Api-link\/(connectDemoProvider|receiveProviderPush)|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when a batch comes in; the actions are single object actions, never listing.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttStreams72478C78Arn51AA7658/*]`],
    paths:
      /^(Consumers\/storeBatch|Api-timeseries\/getStreamBy(Sleep|Workout)Id|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when a stream comes in; the actions are single object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttUserExports24DB1F22ArnE2423D83/*]`],
    paths: /^(Api-exports\/getExport|Consumers\/runExport|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when an export is started; the actions are single object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttOrderPlacements1D5279B2Arn3A4876AD/*]`],
    paths:
      /^(Api-orders\/(create(Testkit)?Order|importOrder|(recreate|redraw)Order|registerTestkit)|Api-order-documents\/getOrderRequistionPdf|Api-results\/receiveResult|Consumers\/(doLabWork|runUnmatchedResultTest)|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when an order is placed; the actions are single object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttReportFiles3CD5DFF8ArnE56D909A/*]`],
    paths:
      /^(Api-lab-reports\/(parserCreateJob|startReportUpload|getReview(Part)?)|Consumers\/parseLabReport|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when a lab report comes in; the actions are single object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttReportUploads725518D4ArnDD0139C2/*]`],
    paths: /^(Api-lab-reports\/(create|start)ReportUpload|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when addresses for files are given; the actions are single object actions.",
  },
  {
    rules: [
      `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:` +
        `${name}-Deletion:ExportsOutputFnGetAttMachine6FC8AE80NameAED168B8:del-*]`,
    ],
    paths: /^Api-users\/undoDelete\/Policy\/Resource$/,
    reason: "Stops executions of one machine, which are named by the deletion that they hold: del-<deletion id>.",
  },
];

/** Records each acknowledgement on the constructs it names, for cdk-nag to read. @returns how many it recorded. */
export function acknowledgeFindings(app: App, name: string): number {
  const resources = app.node.findAll().filter(CfnResource.isCfnResource);
  let recorded = 0;
  for (const { rules, paths, reason } of acknowledgements(name)) {
    for (const resource of resources) {
      if (!paths.test(resource.node.path.slice(name.length + 1))) continue;
      Validations.of(resource).acknowledge(...rules.map((id) => ({ id, reason })));
      recorded += rules.length;
    }
  }
  return recorded;
}
