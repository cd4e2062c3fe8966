/** How a limit measures its subject; see measures.ts. */
export type Measure = "characters" | "policy" | "bytes" | "items" | "value" | "form" | "environment" | "count";

/** One limit of AWS. */
export interface Limit {
  /** The resource type, or a derived type of subjects.ts: Template, Output. */
  readonly of: string;
  /**
   * Path in the properties, or in the additions of subjects.ts. `*` matches every entry, and `count` groups by these
   * values.
   */
  readonly at: string;
  readonly measure: Measure;
  /** Maximum value. */
  readonly most?: number;
  /** Minimum value. */
  readonly least?: number;
  /** Pattern that a text has to match. */
  readonly form?: RegExp;
  /** A text that does not match the pattern. */
  readonly refused?: string;
  /** The AWS page that states the limit. */
  readonly source: string;
}

const docs = "https://docs.aws.amazon.com";
const iam = `${docs}/IAM/latest/UserGuide/reference_iam-quotas.html`;
const iamRole = `${docs}/IAM/latest/APIReference/API_CreateRole.html`;
const iamPolicy = `${docs}/IAM/latest/APIReference/API_CreatePolicy.html`;
const iamResource = `${docs}/IAM/latest/UserGuide/reference_policies_elements_resource.html`;
const iamAction = `${docs}/IAM/latest/UserGuide/reference_policies_elements_action.html`;
const cloudFormation = `${docs}/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html`;
const createStack = `${docs}/AWSCloudFormation/latest/APIReference/API_CreateStack.html`;
const lambda = `${docs}/lambda/latest/dg/gettingstarted-limits.html`;
const lambdaFunction = `${docs}/lambda/latest/api/API_CreateFunction.html`;
const environment = `${docs}/lambda/latest/dg/configuration-envvars.html`;
const mapping = `${docs}/lambda/latest/api/API_CreateEventSourceMapping.html`;
const scaling = `${docs}/lambda/latest/api/API_ScalingConfig.html`;
const httpApi = `${docs}/apigateway/latest/developerguide/http-api-quotas.html`;
const routes = `${docs}/apigateway/latest/developerguide/http-api-develop-routes.html`;
const eventBridge = `${docs}/eventbridge/latest/userguide/eb-quota.html`;
const putRule = `${docs}/eventbridge/latest/APIReference/API_PutRule.html`;
const eventTarget = `${docs}/eventbridge/latest/APIReference/API_Target.html`;
const retryPolicy = `${docs}/eventbridge/latest/APIReference/API_RetryPolicy.html`;
const eventBus = `${docs}/eventbridge/latest/APIReference/API_CreateEventBus.html`;
const sqsPolicies = `${docs}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html`;
const sqsQueues = `${docs}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html`;
const sqsQueue = `${docs}/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html`;
const sqsMapping = `${docs}/lambda/latest/dg/services-sqs-configure.html`;
const dynamoDb = `${docs}/amazondynamodb/latest/developerguide/Constraints.html`;
const createTable = `${docs}/amazondynamodb/latest/APIReference/API_CreateTable.html`;
const restore = `${docs}/amazondynamodb/latest/APIReference/API_PointInTimeRecoverySpecification.html`;
const bucketPolicy = `${docs}/AmazonS3/latest/userguide/add-bucket-policy.html`;
const bucketNames = `${docs}/AmazonS3/latest/userguide/bucketnamingrules.html`;
const lifecycle = `${docs}/AmazonS3/latest/userguide/object-lifecycle-mgmt.html`;
const kms = `${docs}/kms/latest/developerguide/resource-limits.html`;
const kmsKey = `${docs}/kms/latest/APIReference/API_CreateKey.html`;
const kmsAlias = `${docs}/kms/latest/APIReference/API_CreateAlias.html`;
const machine = `${docs}/step-functions/latest/apireference/API_CreateStateMachine.html`;
const alarm = `${docs}/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html`;
const cloudWatch = `${docs}/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html`;
const logGroup = `${docs}/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html`;
const retention = `${docs}/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html`;
const logPolicy = `${docs}/AmazonCloudWatchLogs/latest/APIReference/API_PutResourcePolicy.html`;
const secret = `${docs}/secretsmanager/latest/apireference/API_CreateSecret.html`;
const password = `${docs}/secretsmanager/latest/apireference/API_GetRandomPassword.html`;
const sns = `${docs}/sns/latest/api/API_CreateTopic.html`;
const snsPolicy = `${docs}/general/latest/gr/sns.html`;
const wafCapacity = `${docs}/waf/latest/developerguide/aws-waf-capacity-units.html`;
const wafRate = `${docs}/waf/latest/APIReference/API_RateBasedStatement.html`;
const webAcl = `${docs}/waf/latest/APIReference/API_CreateWebACL.html`;
const cloudFront = `${docs}/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html`;
const distribution = `${docs}/cloudfront/latest/APIReference/API_DistributionConfig.html`;
const vault = `${docs}/aws-backup/latest/devguide/API_CreateBackupVault.html`;
const backupRule = `${docs}/aws-backup/latest/devguide/API_BackupRuleInput.html`;
const backupSelection = `${docs}/aws-backup/latest/devguide/API_BackupSelection.html`;
const stage = `${docs}/apigatewayv2/latest/api-reference/apis-apiid-stages.html`;
const apis = `${docs}/apigatewayv2/latest/api-reference/apis.html`;
const tags = `${docs}/tag-editor/latest/userguide/tagging.html`;

const alphanumeric = /^[A-Za-z0-9]+$/;
const describable = /^[\t\n\r -~¡-ÿ]*$/;
const policyText = /^[\t\n\r -ÿ]*$/;
const days = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653];
const reserved =
  "_HANDLER|_X_AMZN_TRACE_ID|AWS_DEFAULT_REGION|AWS_REGION|AWS_EXECUTION_ENV|AWS_LAMBDA_[A-Z_]+|AWS_ACCESS_KEY(_ID)?|" +
  "AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|LAMBDA_TASK_ROOT|LAMBDA_RUNTIME_DIR";

/** Every hard limit and default quota of AWS that the templates can meet. */
// biome-ignore format: a table, of one row a line
export const limits: readonly Limit[] = [
  // CloudFormation
  { of: "Template", at: "Resources", measure: "items", most: 500, source: cloudFormation },
  { of: "Template", at: "Outputs", measure: "items", most: 200, source: cloudFormation },
  { of: "Template", at: "Parameters", measure: "items", most: 200, source: cloudFormation },
  { of: "Template", at: "Mappings", measure: "items", most: 200, source: cloudFormation },
  { of: "Template", at: "Text", measure: "bytes", most: 1_000_000, source: cloudFormation },
  { of: "Template", at: "Description", measure: "bytes", most: 1_024, source: cloudFormation },
  { of: "Template", at: "LogicalIds.*", measure: "characters", most: 255, source: cloudFormation },
  { of: "Template", at: "LogicalIds.*", measure: "form", form: alphanumeric, refused: "not-so", source: cloudFormation },
  { of: "Template", at: "Name", measure: "characters", most: 128, source: createStack },
  { of: "Template", at: "Name", measure: "form", form: /^[A-Za-z][-A-Za-z0-9]*$/, refused: "a_b", source: createStack },
  { of: "Output", at: "Id", measure: "characters", most: 255, source: cloudFormation },
  { of: "Output", at: "Value", measure: "characters", most: 1_024, source: cloudFormation },
  { of: "Output", at: "ExportName", measure: "characters", most: 255, source: cloudFormation },
  { of: "Output", at: "ExportName", measure: "count", most: 1, source: cloudFormation },
  { of: "*", at: "Tags", measure: "items", most: 50, source: tags },
  // IAM
  { of: "AWS::IAM::ManagedPolicy", at: "PolicyDocument", measure: "policy", most: 6_144, source: iam },
  { of: "AWS::IAM::ManagedPolicy", at: "PolicyText", measure: "form", form: policyText, refused: "€", source: iam },
  { of: "AWS::IAM::ManagedPolicy", at: "PolicyResources.*", measure: "form", form: /^(\*|arn:[^:]+(:[^:]*){3}:.+)$/, refused: "users", source: iamResource },
  { of: "AWS::IAM::ManagedPolicy", at: "PolicyActions.*", measure: "form", form: /^[a-z0-9-]+:[A-Za-z*]+$/, refused: "GetItem", source: iamAction },
  { of: "AWS::IAM::ManagedPolicy", at: "PolicyDocument.Statement.*.Action", measure: "items", least: 1, source: iamAction },
  { of: "AWS::IAM::ManagedPolicy", at: "ManagedPolicyName", measure: "characters", most: 128, source: iam },
  { of: "AWS::IAM::ManagedPolicy", at: "Description", measure: "characters", most: 1_000, source: iamPolicy },
  { of: "AWS::IAM::Role", at: "AllManagedPolicies", measure: "items", most: 10, source: iam },
  { of: "AWS::IAM::Role", at: "InlinePolicies", measure: "policy", most: 10_240, source: iam },
  { of: "AWS::IAM::Role", at: "AssumeRolePolicyDocument", measure: "policy", most: 2_048, source: iam },
  { of: "AWS::IAM::Role", at: "RoleName", measure: "characters", most: 64, source: iam },
  { of: "AWS::IAM::Role", at: "Description", measure: "characters", most: 1_000, source: iamRole },
  { of: "AWS::IAM::Role", at: "Description", measure: "form", form: describable, refused: "€", source: iamRole },
  { of: "AWS::IAM::Role", at: "Account", measure: "count", most: 1_000, source: iam },
  { of: "AWS::IAM::ManagedPolicy", at: "Account", measure: "count", most: 1_500, source: iam },
  // Lambda
  { of: "AWS::Lambda::Function", at: "Environment.Variables", measure: "environment", most: 4_096, source: lambda },
  {
    of: "AWS::Lambda::Function",
    at: "EnvironmentNames.*",
    measure: "form",
    form: new RegExp(`^(?!(${reserved})$)[A-Za-z][A-Za-z0-9_]+$`),
    refused: "AWS_REGION",
    source: environment,
  },
  { of: "AWS::Lambda::Function", at: "Layers", measure: "items", most: 5, source: lambda },
  { of: "AWS::Lambda::Function", at: "Timeout", measure: "value", least: 1, most: 900, source: lambda },
  { of: "AWS::Lambda::Function", at: "MemorySize", measure: "value", least: 128, most: 10_240, source: lambda },
  { of: "AWS::Lambda::Function", at: "Permissions", measure: "bytes", most: 20_480, source: lambda },
  { of: "AWS::Lambda::Function", at: "UnzippedBytes", measure: "value", most: 262_144_000, source: lambda },
  { of: "AWS::Lambda::Function", at: "FunctionName", measure: "characters", most: 64, source: lambdaFunction },
  { of: "AWS::Lambda::Function", at: "Description", measure: "characters", most: 256, source: lambdaFunction },
  { of: "AWS::Lambda::Function", at: "Handler", measure: "characters", most: 128, source: lambdaFunction },
  { of: "AWS::Lambda::EventSourceMapping", at: "BatchSize", measure: "value", least: 1, most: 10_000, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "BatchOfQueueAtOnce", measure: "value", most: 10, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "MaximumBatchingWindowInSeconds", measure: "value", least: 0, most: 300, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "ScalingConfig.MaximumConcurrency", measure: "value", least: 2, most: 1_000, source: scaling },
  { of: "AWS::Lambda::EventSourceMapping", at: "ParallelizationFactor", measure: "value", least: 1, most: 10, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "MaximumRetryAttempts", measure: "value", least: -1, most: 10_000, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "MaximumRecordAgeInSeconds", measure: "value", least: 60, most: 604_800, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "FilterCriteria.Filters", measure: "items", most: 5, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "FilterCriteria.Filters.*.Pattern", measure: "characters", most: 4_096, source: mapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "VisibleAfterTimeoutS", measure: "value", least: 0, source: sqsMapping },
  { of: "AWS::Lambda::EventSourceMapping", at: "EventSourceArn,FunctionName", measure: "count", most: 1, source: mapping },
  // API Gateway
  { of: "AWS::ApiGatewayV2::Route", at: "ApiId", measure: "count", most: 300, source: httpApi },
  { of: "AWS::ApiGatewayV2::Route", at: "ApiId,RouteKey", measure: "count", most: 1, source: routes },
  {
    of: "AWS::ApiGatewayV2::Route",
    at: "RouteKey",
    measure: "form",
    form: /^(\$default|(ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT) (\/|(\/([\w.~:@!$&'()*,;=%-]+|\{\w+\}))*(\/\{\w+\+?\})?))$/,
    refused: "GET users/{user_id",
    source: routes,
  },
  { of: "AWS::ApiGatewayV2::Integration", at: "ApiId", measure: "count", most: 300, source: httpApi },
  { of: "AWS::ApiGatewayV2::Authorizer", at: "ApiId", measure: "count", most: 10, source: httpApi },
  { of: "AWS::ApiGatewayV2::Stage", at: "ApiId", measure: "count", most: 10, source: httpApi },
  { of: "AWS::ApiGatewayV2::Stage", at: "AccessLogSettings.Format", measure: "bytes", most: 3_072, source: httpApi },
  { of: "AWS::ApiGatewayV2::Stage", at: "StageName", measure: "characters", most: 128, source: stage },
  { of: "AWS::ApiGatewayV2::Api", at: "Name", measure: "characters", most: 128, source: apis },
  { of: "AWS::ApiGatewayV2::ApiMapping", at: "DomainName", measure: "count", most: 200, source: httpApi },
  { of: "AWS::ApiGatewayV2::DomainName", at: "DomainName", measure: "count", most: 1, source: httpApi },
  // EventBridge
  { of: "AWS::Events::Rule", at: "EventBusName", measure: "count", most: 300, source: eventBridge },
  { of: "AWS::Events::Rule", at: "Targets", measure: "items", most: 5, source: eventBridge },
  { of: "AWS::Events::Rule", at: "EventPattern", measure: "bytes", most: 2_048, source: eventBridge },
  { of: "AWS::Events::Rule", at: "Name", measure: "characters", most: 64, source: putRule },
  { of: "AWS::Events::Rule", at: "Name", measure: "form", form: /^[.\-_A-Za-z0-9]+$/, refused: "a b", source: putRule },
  { of: "AWS::Events::Rule", at: "Description", measure: "characters", most: 512, source: putRule },
  { of: "AWS::Events::Rule", at: "ScheduleExpression", measure: "characters", most: 256, source: putRule },
  {
    of: "AWS::Events::Rule",
    at: "ScheduleExpression",
    measure: "form",
    form: /^(rate\((1 (minute|hour|day)|(?!0|1 )\d+ (minutes|hours|days))\)|cron\(\S+( \S+){5}\))$/,
    refused: "rate(1 minutes)",
    source: putRule,
  },
  { of: "AWS::Events::Rule", at: "Targets.*.Id", measure: "characters", most: 64, source: eventTarget },
  { of: "AWS::Events::Rule", at: "Targets.*.Input", measure: "characters", most: 8_192, source: eventTarget },
  { of: "AWS::Events::Rule", at: "Targets.*.RetryPolicy.MaximumRetryAttempts", measure: "value", least: 0, most: 185, source: retryPolicy },
  { of: "AWS::Events::Rule", at: "Targets.*.RetryPolicy.MaximumEventAgeInSeconds", measure: "value", least: 60, most: 86_400, source: retryPolicy },
  { of: "AWS::Events::EventBus", at: "Name", measure: "characters", most: 256, source: eventBus },
  { of: "AWS::Events::EventBus", at: "Name", measure: "form", form: /^(?!default$)[.\-_A-Za-z0-9]+$/, refused: "default", source: eventBus },
  { of: "AWS::Events::EventBus", at: "Name", measure: "count", most: 1, source: eventBus },
  { of: "AWS::Events::EventBus", at: "Account", measure: "count", most: 100, source: eventBridge },
  { of: "AWS::Events::EventBus", at: "Description", measure: "characters", most: 512, source: eventBus },
  // SQS
  { of: "AWS::SQS::Queue", at: "QueueName", measure: "characters", most: 80, source: sqsQueues },
  { of: "AWS::SQS::Queue", at: "FifoQueueName", measure: "form", form: /^[\w-]+\.fifo$/, refused: "orders", source: sqsQueues },
  { of: "AWS::SQS::Queue", at: "VisibilityTimeout", measure: "value", least: 0, most: 43_200, source: sqsQueue },
  { of: "AWS::SQS::Queue", at: "MessageRetentionPeriod", measure: "value", least: 60, most: 1_209_600, source: sqsQueue },
  { of: "AWS::SQS::Queue", at: "DelaySeconds", measure: "value", least: 0, most: 900, source: sqsQueue },
  { of: "AWS::SQS::Queue", at: "ReceiveMessageWaitTimeSeconds", measure: "value", least: 0, most: 20, source: sqsQueue },
  { of: "AWS::SQS::Queue", at: "RedrivePolicy.maxReceiveCount", measure: "value", least: 1, most: 1_000, source: sqsQueue },
  { of: "AWS::SQS::Queue", at: "KmsDataKeyReusePeriodSeconds", measure: "value", least: 60, most: 86_400, source: sqsQueue },
  { of: "AWS::SQS::QueuePolicy", at: "PolicyDocument", measure: "policy", most: 8_192, source: sqsPolicies },
  { of: "AWS::SQS::QueuePolicy", at: "PolicyDocument.Statement", measure: "items", most: 20, source: sqsPolicies },
  { of: "AWS::SQS::QueuePolicy", at: "PolicyDocument.Statement.*.Action", measure: "items", most: 7, source: sqsPolicies },
  { of: "AWS::SQS::QueuePolicy", at: "PolicyDocument.Statement.*.Condition", measure: "items", most: 10, source: sqsPolicies },
  // DynamoDB
  { of: "AWS::DynamoDB::Table", at: "TableName", measure: "characters", most: 255, source: dynamoDb },
  { of: "AWS::DynamoDB::Table", at: "GlobalSecondaryIndexes", measure: "items", most: 20, source: dynamoDb },
  { of: "AWS::DynamoDB::Table", at: "LocalSecondaryIndexes", measure: "items", most: 5, source: dynamoDb },
  { of: "AWS::DynamoDB::Table", at: "GlobalSecondaryIndexes.*.IndexName", measure: "characters", least: 3, most: 255, source: dynamoDb },
  { of: "AWS::DynamoDB::Table", at: "ProjectedAttributes", measure: "items", most: 100, source: dynamoDb },
  { of: "AWS::DynamoDB::Table", at: "PointInTimeRecoverySpecification.RecoveryPeriodInDays", measure: "value", least: 1, most: 35, source: restore },
  { of: "AWS::DynamoDB::Table", at: "UnmatchedAttributes", measure: "items", most: 0, source: createTable },
  { of: "AWS::DynamoDB::Table", at: "Account", measure: "count", most: 2_500, source: dynamoDb },
  // S3
  { of: "AWS::S3::Bucket", at: "BucketName", measure: "characters", least: 3, most: 63, source: bucketNames },
  { of: "AWS::S3::Bucket", at: "LifecycleConfiguration.Rules", measure: "items", most: 1_000, source: lifecycle },
  { of: "AWS::S3::BucketPolicy", at: "PolicyDocument", measure: "bytes", most: 20_480, source: bucketPolicy },
  // KMS, Secrets Manager
  { of: "AWS::KMS::Key", at: "KeyPolicy", measure: "bytes", most: 32_768, source: kms },
  { of: "AWS::KMS::Key", at: "Description", measure: "characters", most: 8_192, source: kmsKey },
  { of: "AWS::KMS::Alias", at: "AliasName", measure: "characters", most: 256, source: kmsAlias },
  { of: "AWS::KMS::Alias", at: "AliasName", measure: "form", form: /^alias\/(?!aws\/)[\w/-]+$/, refused: "alias/aws/own", source: kmsAlias },
  { of: "AWS::SecretsManager::Secret", at: "Name", measure: "characters", most: 512, source: secret },
  { of: "AWS::SecretsManager::Secret", at: "Name", measure: "form", form: /^[A-Za-z0-9/_+=.@-]+$/, refused: "a b", source: secret },
  { of: "AWS::SecretsManager::Secret", at: "Name", measure: "count", most: 1, source: secret },
  { of: "AWS::SecretsManager::Secret", at: "Description", measure: "characters", most: 2_048, source: secret },
  { of: "AWS::SecretsManager::Secret", at: "GenerateSecretString.PasswordLength", measure: "value", least: 1, most: 4_096, source: password },
  // Step Functions
  { of: "AWS::StepFunctions::StateMachine", at: "DefinitionString", measure: "bytes", most: 1_048_576, source: machine },
  { of: "AWS::StepFunctions::StateMachine", at: "StateMachineName", measure: "characters", most: 80, source: machine },
  { of: "AWS::StepFunctions::StateMachine", at: "LoggingConfiguration.Destinations", measure: "items", most: 1, source: machine },
  // CloudWatch
  { of: "AWS::CloudWatch::Alarm", at: "AlarmName", measure: "characters", most: 255, source: alarm },
  { of: "AWS::CloudWatch::Alarm", at: "AlarmDescription", measure: "characters", most: 1_024, source: alarm },
  { of: "AWS::CloudWatch::Alarm", at: "AlarmActions", measure: "items", most: 5, source: alarm },
  { of: "AWS::CloudWatch::Alarm", at: "Dimensions", measure: "items", most: 30, source: alarm },
  { of: "AWS::CloudWatch::Alarm", at: "Metrics", measure: "items", most: 20, source: alarm },
  { of: "AWS::CloudWatch::Alarm", at: "EvaluatedSeconds", measure: "value", most: 604_800, source: alarm },
  { of: "AWS::CloudWatch::Dashboard", at: "DashboardName", measure: "characters", most: 255, source: cloudWatch },
  { of: "AWS::CloudWatch::Dashboard", at: "Widgets", measure: "items", most: 500, source: cloudWatch },
  { of: "AWS::CloudWatch::Dashboard", at: "Widgets.*.properties.metrics", measure: "items", most: 500, source: cloudWatch },
  { of: "AWS::Logs::LogGroup", at: "LogGroupName", measure: "characters", most: 512, source: logGroup },
  { of: "AWS::Logs::LogGroup", at: "LogGroupName", measure: "form", form: /^[.\-_/#A-Za-z0-9]+$/, refused: "a b", source: logGroup },
  { of: "AWS::Logs::LogGroup", at: "LogGroupName", measure: "count", most: 1, source: logGroup },
  { of: "AWS::Logs::LogGroup", at: "RetentionInDays", measure: "form", form: new RegExp(`^(${days.join("|")})$`), refused: "91", source: retention },
  { of: "AWS::Logs::ResourcePolicy", at: "PolicyDocument", measure: "bytes", most: 5_120, source: logPolicy },
  { of: "AWS::Logs::ResourcePolicy", at: "Account", measure: "count", most: 10, source: logPolicy },
  // SNS
  { of: "AWS::SNS::Topic", at: "TopicName", measure: "characters", most: 256, source: sns },
  { of: "AWS::SNS::TopicPolicy", at: "PolicyDocument", measure: "bytes", most: 30_720, source: snsPolicy },
  // WAF and CloudFront
  { of: "AWS::WAFv2::WebACL", at: "Capacity", measure: "value", most: 1_500, source: wafCapacity },
  { of: "AWS::WAFv2::WebACL", at: "Name", measure: "characters", most: 128, source: webAcl },
  { of: "AWS::WAFv2::WebACL", at: "Rules.*.Name", measure: "form", form: /^[\w-]{1,128}$/, refused: "a b", source: webAcl },
  { of: "AWS::WAFv2::WebACL", at: "Rules.*.Statement.RateBasedStatement.Limit", measure: "value", least: 10, most: 2_000_000_000, source: wafRate },
  { of: "AWS::CloudFront::Distribution", at: "DistributionConfig.Aliases", measure: "items", most: 100, source: cloudFront },
  { of: "AWS::CloudFront::Distribution", at: "DistributionConfig.Origins", measure: "items", most: 100, source: cloudFront },
  { of: "AWS::CloudFront::Distribution", at: "DistributionConfig.Origins.*.OriginCustomHeaders", measure: "items", most: 30, source: cloudFront },
  { of: "AWS::CloudFront::Distribution", at: "DistributionConfig.Origins.*.OriginCustomHeaders.*.HeaderValue", measure: "characters", most: 1_783, source: cloudFront },
  { of: "AWS::CloudFront::Distribution", at: "DistributionConfig.Comment", measure: "characters", most: 128, source: distribution },
  // Backup
  { of: "AWS::Backup::BackupVault", at: "BackupVaultName", measure: "form", form: /^[A-Za-z0-9_-]{2,50}$/, refused: "a b", source: vault },
  { of: "AWS::Backup::BackupVault", at: "BackupVaultName", measure: "count", most: 1, source: vault },
  { of: "AWS::Backup::BackupPlan", at: "BackupPlan.BackupPlanRule.*.RuleName", measure: "form", form: /^[\w.-]{1,50}$/, refused: "a b", source: backupRule },
  { of: "AWS::Backup::BackupSelection", at: "BackupSelection.Resources", measure: "items", most: 500, source: backupSelection },
  { of: "AWS::Backup::BackupSelection", at: "BackupSelection.SelectionName", measure: "form", form: /^[\w.-]{1,50}$/, refused: "a b", source: backupSelection },
];

/** Resource types without a limit above, and the reason. */
export const withoutLimits: Readonly<Record<string, string>> = {
  "AWS::Lambda::Permission": "counts as part of its function's policy",
  "AWS::SNS::Subscription": "is one address, which the settings check",
};
