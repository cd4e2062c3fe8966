import { type App, CfnResource, Validations } from "aws-cdk-lib/core";

/** Accepted findings of cdk-nag with their reason; see docs/decisions/0002-acknowledged-findings.md. */
export interface Acknowledgement {
  readonly rules: readonly string[];
  /** Construct paths for which the reason holds, without the name of the app as prefix. */
  readonly paths: RegExp;
  readonly reason: string;
}

/** Paths of all functions. */
const anyFunction = /^[\w-]+\/\w+\/Function\/Resource$/;
const everyDeadLetterQueue =
  /\/(DeadLetters|Missed|UndeliveredChanges|UndeliveredEvents|UndeliveredForwards|UnroutedEvents)\/Queue\/Resource$/;

/** @param name prefix of all stack names: findings about wildcards contain names of exports. */
export const acknowledgements = (name: string): readonly Acknowledgement[] => [
  {
    rules: ["HIPAA.Security-LambdaInsideVPC"],
    paths: anyFunction,
    reason:
      "Functions reach only AWS services and public addresses; the service has no private resource that needs a VPC.",
  },
  {
    rules: ["HIPAA.Security-LambdaConcurrency"],
    paths: anyFunction,
    reason:
      "The limit of an account cannot be split over all functions; stage throttling and mappings limit concurrency.",
  },
  {
    rules: ["HIPAA.Security-LambdaDLQ", "Serverless-LambdaDLQ"],
    paths: /^(?!Consumers\/(?:sweep|eraseTeams|sealAccessLog))[\w-]+\/\w+\/Function\/Resource$/,
    reason:
      "API, queue, stream or state machine invoke it synchronously; Lambda uses its own queue for asynchronous calls only.",
  },
  {
    rules: ["AwsSolutions-APIG4"],
    paths: /^Api-[\w-]+\/\w+\/Route[\d-]*$/,
    reason:
      "The function authenticates itself, so error bodies are the service's own and the local service behaves equally.",
  },
  {
    rules: ["AwsSolutions-SQS3"],
    paths:
      /\/(relayEvents\/Missed|UndeliveredChanges|UndeliveredEvents|UndeliveredForwards|UnroutedEvents)\/Queue\/Resource$/,
    reason: "This is the dead-letter queue of a rule target or a stream; its first message raises an alarm.",
  },
  {
    rules: ["Serverless-SQSRedrivePolicy"],
    paths: everyDeadLetterQueue,
    reason: "This is a dead-letter queue; its first message raises an alarm, and it retains messages for 14 days.",
  },
  {
    rules: ["Serverless-LambdaEventSourceMappingDestination"],
    paths:
      /^Consumers\/(storeBatch|tellHistory|pull(History|Connection|Changes)|runBulkStep|attemptDelivery|planDeliveries|doLabWork|runExport|parseLabReport|runUnmatchedResultTest|runWebhookTask|markChangedDays|runContinuousQuery|forwardTo\w+)\/Mapping$/,
    reason: "Lambda has no failure destination for SQS sources; the queue's redrive policy keeps failed messages.",
  },
  {
    rules: ["HIPAA.Security-DynamoDBInBackupPlan"],
    paths: /^Data\/Table-\w+\/Resource$/,
    reason:
      "Point-in-time recovery covers 35 days; an erasure would have to remove the user from copies in a vault too.",
  },
  {
    rules: ["AwsSolutions-SMG4", "HIPAA.Security-SecretsManagerRotationEnabled"],
    paths: /^Data\/Secret-providerApps$/,
    reason: "Providers issue client secrets on their web pages; a function cannot rotate them.",
  },
  {
    rules: ["AwsSolutions-SMG4", "HIPAA.Security-SecretsManagerRotationEnabled"],
    paths: /^Data\/Secret-edge$/,
    reason: "CloudFront and functions must change it together, by a deployment; see docs/deploy.md.",
  },
  {
    rules: ["Serverless-LambdaTracing"],
    paths: /^Consumers\/(sweep\w+|eraseTeams|sealAccessLog)\/Function\/Resource$/,
    reason: "Traces of runs without work would be most of the cost of an idle deployment; logs record each run.",
  },
  {
    rules: ["Serverless-SNSRedrivePolicy"],
    paths: /^Operations\/AlarmEmail$/,
    reason: "CloudWatch shows the state of an alarm, whether its e-mail arrives or not.",
  },
  {
    rules: ["AwsSolutions-CFR1", "AwsSolutions-CFR3"],
    paths: /^Edge\/Distribution\/Resource$/,
    reason: "Users are worldwide; the API logs each request by route, and a log of paths would contain user ids.",
  },
  {
    rules: ["HIPAA.Security-WAFv2LoggingEnabled"],
    paths: /^Edge\/Firewall\/WebAcl$/,
    reason: "A request log would contain paths, which may contain user ids; metrics count the blocks of each rule.",
  },
  {
    rules: [
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]",
    ],
    paths: /^Data\/Backups\/Role\/Resource$/,
    reason: "AWS maintains this policy for AWS Backup, so it always matches the permissions that the service needs.",
  },
  {
    rules: ["HIPAA.Security-S3BucketReplicationEnabled"],
    paths: /^Data\/(Batches|Streams|UserExports|OrderPlacements|ReportFiles|ReportUploads|AccessLogs)\/Resource$/,
    reason: "A replica would keep what an erasure deletes; object versions restore what was deleted by mistake.",
  },
  {
    rules: ["HIPAA.Security-S3DefaultEncryptionKMS"],
    paths: /^Data\/AccessLogs\/Resource$/,
    reason: "S3 delivers server access logs only to buckets with SSE-S3 as default encryption.",
  },
  {
    rules: ["AwsSolutions-IAM5[Resource::*]"],
    paths: /^Operations\/Tracing\/Resource$/,
    reason: "The two X-Ray actions do not support resources; their policy allows nothing else.",
  },
  {
    rules: ["AwsSolutions-IAM5[Resource::*]"],
    paths: /^Consumers\/parseLabReport\/DetectingText\/Resource$/,
    reason:
      "The Textract action does not support resources; its policy belongs to one function and allows nothing else.",
  },
  {
    rules: ["AwsSolutions-IAM5[Resource::*]"],
    paths: /^Deletion\/MachinePolicy\/Resource$/,
    reason: "The log delivery actions of a state machine do not support resources; the statement allows nothing else.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttBatchesE11AE858Arn62AFAD38/*]`],
    paths:
      /^(Consumers\/(storeBatch|pull(History|Connection|Changes))|Api-ingest\/ingestBatch|Api-sdk\/syncBatch|Api-link\/(connectDemoProvider|receiveProviderPush)|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when a batch arrives; the actions are single-object actions without listing.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttStreams72478C78Arn51AA7658/*]`],
    paths:
      /^(Consumers\/storeBatch|Api-timeseries\/getStreamBy(Sleep|Workout)Id|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when a stream arrives; the actions are single-object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttUserExports24DB1F22ArnE2423D83/*]`],
    paths: /^(Api-exports\/getExport|Consumers\/runExport|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when an export starts; the actions are single-object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttOrderPlacements1D5279B2Arn3A4876AD/*]`],
    paths:
      /^(Api-orders\/(create(Testkit)?Order|importOrder|(recreate|redraw)Order|registerTestkit)|Api-order-documents\/getOrderRequistionPdf|Api-results\/receiveResult|Consumers\/(doLabWork|runUnmatchedResultTest)|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when an order is placed; the actions are single-object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttReportFiles3CD5DFF8ArnE56D909A/*]`],
    paths:
      /^(Api-lab-reports\/(parserCreateJob|startReportUpload|getReview(Part)?)|Consumers\/parseLabReport|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when a lab report arrives; the actions are single-object actions.",
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${name}-Data:ExportsOutputFnGetAttReportUploads725518D4ArnDD0139C2/*]`],
    paths: /^(Api-lab-reports\/(create|start)ReportUpload|Deletion\/eraseUser)\/Policy\/Resource$/,
    reason: "Objects of one bucket, named when upload URLs are issued; the actions are single-object actions.",
  },
  {
    rules: [
      `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:` +
        `${name}-Deletion:ExportsOutputFnGetAttMachine6FC8AE80NameAED168B8:del-*]`,
    ],
    paths: /^Api-users\/undoDelete\/Policy\/Resource$/,
    reason: "Stops executions of one state machine, which are named after their deletion: del-<deletion id>.",
  },
];

/** Records each acknowledgement on its constructs, for cdk-nag. @returns the number of recorded acknowledgements. */
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
