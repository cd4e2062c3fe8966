import { characters, count, figure, figureOf, type Limit, lengthOf, longestText, policy } from "./limit.ts";
import { wholeLimits } from "./whole-limits.ts";

const aws = "https://docs.aws.amazon.com";
const iam = `${aws}/IAM/latest/UserGuide/reference_iam-quotas.html`;
const lambda = `${aws}/lambda/latest/dg/gettingstarted-limits.html`;
const createFunction = `${aws}/lambda/latest/api/API_CreateFunction.html`;
const mapping = `${aws}/lambda/latest/api/API_CreateEventSourceMapping.html`;
const httpApi = `${aws}/apigateway/latest/developerguide/http-api-quotas.html`;
const eventBridge = `${aws}/eventbridge/latest/userguide/eb-quota.html`;
const putRule = `${aws}/eventbridge/latest/APIReference/API_PutRule.html`;
const sqsPolicy = `${aws}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html`;
const queue = `${aws}/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html`;
const topic = `${aws}/sns/latest/api/API_SetTopicAttributes.html`;
const dynamoDb = `${aws}/amazondynamodb/latest/developerguide/ServiceQuotas.html`;
const bucketPolicy = `${aws}/AmazonS3/latest/userguide/bucket-policies.html`;
const bucketName = `${aws}/AmazonS3/latest/userguide/bucketnamingrules.html`;
const lifecycle = `${aws}/AmazonS3/latest/userguide/intro-lifecycle-rules.html`;
const kms = `${aws}/kms/latest/developerguide/resource-limits.html`;
const createKey = `${aws}/kms/latest/APIReference/API_CreateKey.html`;
const createSecret = `${aws}/secretsmanager/latest/apireference/API_CreateSecret.html`;
const vault = `${aws}/aws-backup/latest/devguide/API_CreateBackupVault.html`;
const logGroup = `${aws}/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html`;
const alarm = `${aws}/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html`;
const dashboard = `${aws}/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html`;
const stepFunctions = `${aws}/step-functions/latest/dg/service-quotas.html`;
const machine = `${aws}/step-functions/latest/apireference/API_CreateStateMachine.html`;
const webAcl = `${aws}/waf/latest/APIReference/API_CreateWebACL.html`;
const cloudFront = `${aws}/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html`;
const distribution = `${aws}/cloudfront/latest/APIReference/API_DistributionConfig.html`;

const many = <T>(length: number, one: T): T[] => Array.from({ length }, () => one);
type Target = { readonly RetryPolicy?: { readonly MaximumRetryAttempts: number } };

/** Limits of resources whose figures are not a single property. */
const nested: readonly Limit[] = [
  {
    of: "AWS::Lambda::Function",
    what: "bytes of the environment",
    source: lambda,
    most: 4_096,
    measure: ({ Environment }) => (Environment === undefined ? [] : [longestText(Environment.Variables).length]),
    beyond: { Environment: { Variables: { A: "x".repeat(4_096) } } },
  },
  {
    of: "AWS::Lambda::EventSourceMapping",
    what: "messages of a batch from a queue, without a window",
    source: mapping,
    most: 10,
    measure: ({ BatchSize, StartingPosition, MaximumBatchingWindowInSeconds: window = 0 }) =>
      StartingPosition === undefined && window === 0 ? figureOf(BatchSize) : [],
    beyond: { BatchSize: 11 },
  },
  {
    of: "AWS::Lambda::EventSourceMapping",
    what: "invocations at once",
    source: mapping,
    most: 1_000,
    least: 2,
    measure: ({ ScalingConfig }) => figureOf(ScalingConfig?.MaximumConcurrency),
    beyond: { ScalingConfig: { MaximumConcurrency: 1 } },
  },
  {
    of: "AWS::Lambda::EventSourceMapping",
    what: "filters",
    source: mapping,
    most: 5,
    measure: ({ FilterCriteria }) => (FilterCriteria === undefined ? [] : [FilterCriteria.Filters.length]),
    beyond: { FilterCriteria: { Filters: many(6, {}) } },
  },
  {
    of: "AWS::ApiGatewayV2::Stage",
    what: "bytes of the access log's format",
    source: httpApi,
    most: 3_072,
    measure: ({ AccessLogSettings }) => lengthOf(AccessLogSettings?.Format),
    beyond: { AccessLogSettings: { Format: "x".repeat(3_073) } },
  },
  {
    of: "AWS::Events::Rule",
    what: "attempts at a target",
    source: `${aws}/eventbridge/latest/APIReference/API_RetryPolicy.html`,
    most: 185,
    measure: ({ Targets = [] }) =>
      (Targets as Target[]).flatMap(({ RetryPolicy }) => figureOf(RetryPolicy?.MaximumRetryAttempts)),
    beyond: { Targets: [{ RetryPolicy: { MaximumRetryAttempts: 186 } }] },
  },
  {
    of: "AWS::Events::Rule",
    what: "characters of the pattern",
    source: eventBridge,
    most: 2_048,
    measure: ({ EventPattern }) => lengthOf(EventPattern),
    beyond: { EventPattern: { source: ["x".repeat(2_048)] } },
  },
  {
    of: "AWS::SQS::QueuePolicy",
    what: "statements",
    source: sqsPolicy,
    most: 20,
    measure: ({ PolicyDocument }) => [PolicyDocument.Statement.length],
    beyond: { PolicyDocument: { Statement: many(21, {}) } },
  },
  {
    of: "AWS::S3::Bucket",
    what: "lifecycle rules",
    source: lifecycle,
    most: 1_000,
    measure: ({ LifecycleConfiguration }) => (LifecycleConfiguration ? [LifecycleConfiguration.Rules.length] : []),
    beyond: { LifecycleConfiguration: { Rules: many(1_001, {}) } },
  },
  {
    of: "AWS::CloudWatch::Alarm",
    what: "seconds that are looked at",
    source: alarm,
    most: 604_800,
    measure: ({ Period = 0, EvaluationPeriods = 0 }) => [Period * EvaluationPeriods],
    beyond: { Period: 86_400, EvaluationPeriods: 8 },
  },
  {
    of: "AWS::CloudWatch::Dashboard",
    what: "widgets",
    source: dashboard,
    most: 500,
    measure: ({ DashboardBody }) => [longestText(DashboardBody).split(/\\?"width\\?":/).length - 1],
    beyond: { DashboardBody: '"width":'.repeat(501) },
  },
  {
    of: "AWS::CloudFront::Distribution",
    what: "origins",
    source: cloudFront,
    most: 100,
    measure: ({ DistributionConfig }) => [DistributionConfig.Origins?.length ?? 0],
    beyond: { DistributionConfig: { Origins: many(101, {}) } },
  },
  {
    of: "AWS::CloudFront::Distribution",
    what: "characters of the comment",
    source: distribution,
    most: 128,
    measure: ({ DistributionConfig }) => lengthOf(DistributionConfig.Comment),
    beyond: { DistributionConfig: { Comment: "x".repeat(129) } },
  },
];

/** Every AWS limit that a template of this service can meet, at the default of its quota. */
export const limits: readonly Limit[] = [
  ...wholeLimits,
  ...nested,
  policy("AWS::IAM::ManagedPolicy", "PolicyDocument", 6_144, iam),
  characters("AWS::IAM::ManagedPolicy", "ManagedPolicyName", 128, iam, 1),
  characters("AWS::IAM::ManagedPolicy", "Description", 1_000, iam),
  policy("AWS::IAM::Role", "AssumeRolePolicyDocument", 2_048, iam),
  policy("AWS::IAM::Role", "Policies", 10_240, iam),
  characters("AWS::IAM::Role", "RoleName", 64, iam, 1),
  characters("AWS::IAM::Role", "Description", 1_000, iam),
  count("AWS::Lambda::Function", "Layers", 5, lambda),
  figure("AWS::Lambda::Function", "Timeout", 900, lambda, 1),
  figure("AWS::Lambda::Function", "MemorySize", 10_240, lambda, 128),
  characters("AWS::Lambda::Function", "FunctionName", 64, lambda, 1),
  characters("AWS::Lambda::Function", "Description", 256, createFunction),
  figure("AWS::Lambda::EventSourceMapping", "BatchSize", 10_000, mapping, 1),
  figure("AWS::Lambda::EventSourceMapping", "ParallelizationFactor", 10, mapping, 1),
  figure("AWS::Lambda::EventSourceMapping", "MaximumRecordAgeInSeconds", 604_800, mapping, 60),
  figure("AWS::Lambda::EventSourceMapping", "MaximumRetryAttempts", 10_000, mapping),
  characters("AWS::ApiGatewayV2::Api", "Name", 128, httpApi, 1),
  figure("AWS::ApiGatewayV2::Integration", "TimeoutInMillis", 30_000, httpApi, 50),
  characters("AWS::ApiGatewayV2::DomainName", "DomainName", 512, httpApi, 1),
  count("AWS::Events::Rule", "Targets", 5, eventBridge),
  characters("AWS::Events::Rule", "Name", 64, putRule, 1),
  characters("AWS::Events::Rule", "Description", 512, putRule),
  characters("AWS::Events::EventBus", "Name", 256, eventBridge, 1),
  policy("AWS::SQS::QueuePolicy", "PolicyDocument", 8_192, sqsPolicy),
  figure("AWS::SQS::Queue", "VisibilityTimeout", 43_200, queue),
  figure("AWS::SQS::Queue", "MessageRetentionPeriod", 1_209_600, queue, 60),
  figure("AWS::SQS::Queue", "DelaySeconds", 900, queue),
  figure("AWS::SQS::Queue", "KmsDataKeyReusePeriodSeconds", 86_400, queue, 60),
  characters("AWS::SQS::Queue", "QueueName", 80, queue, 1),
  policy("AWS::SNS::TopicPolicy", "PolicyDocument", 30_720, topic),
  count("AWS::DynamoDB::Table", "GlobalSecondaryIndexes", 20, dynamoDb),
  characters("AWS::DynamoDB::Table", "TableName", 255, dynamoDb, 3),
  policy("AWS::S3::BucketPolicy", "PolicyDocument", 20_480, bucketPolicy),
  characters("AWS::S3::Bucket", "BucketName", 63, bucketName, 3),
  policy("AWS::KMS::Key", "KeyPolicy", 32_768, kms),
  characters("AWS::KMS::Key", "Description", 8_192, createKey),
  characters("AWS::SecretsManager::Secret", "Name", 512, createSecret, 1),
  characters("AWS::SecretsManager::Secret", "Description", 2_048, createSecret),
  characters("AWS::Backup::BackupVault", "BackupVaultName", 50, vault, 2),
  characters("AWS::Logs::LogGroup", "LogGroupName", 512, logGroup, 1),
  count("AWS::CloudWatch::Alarm", "AlarmActions", 5, alarm),
  count("AWS::CloudWatch::Alarm", "Dimensions", 30, alarm),
  characters("AWS::CloudWatch::Alarm", "AlarmName", 255, alarm, 1),
  characters("AWS::CloudWatch::Alarm", "AlarmDescription", 1_024, alarm),
  characters("AWS::StepFunctions::StateMachine", "DefinitionString", 1_048_576, stepFunctions, 1),
  characters("AWS::StepFunctions::StateMachine", "StateMachineName", 80, machine, 1),
  characters("AWS::WAFv2::WebACL", "Name", 128, webAcl, 1),
];

/** Resource types whose only limit is their number, because they link others. */
export const unlimited: readonly string[] = [
  "AWS::ApiGatewayV2::ApiMapping",
  "AWS::ApiGatewayV2::Route",
  "AWS::Backup::BackupPlan",
  "AWS::Backup::BackupSelection",
  "AWS::Lambda::Permission",
  "AWS::SNS::Subscription",
  "AWS::SNS::Topic",
];
