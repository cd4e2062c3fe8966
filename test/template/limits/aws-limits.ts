/** How a limit measures its subject; see measures.ts. */
export type Measure = "characters" | "policy" | "bytes" | "items" | "value" | "form" | "environment" | "count";

/** One limit of AWS. */
export interface AwsLimit {
  /** The resource type, or a derived type of subjects.ts: Template, Output. */
  readonly type: string;
  /**
   * Path in the properties, or in the additions of subjects.ts. `*` matches every entry, and `count` groups by these
   * values.
   */
  readonly path: string;
  readonly measure: Measure;
  /** Maximum value. */
  readonly max?: number;
  /** Minimum value. */
  readonly min?: number;
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
const asyncInvoke = `${docs}/lambda/latest/api/API_PutFunctionEventInvokeConfig.html`;
const lambdaAlias = `${docs}/lambda/latest/api/API_CreateAlias.html`;
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
const compositeAlarm = `${docs}/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html`;
const cloudWatch = `${docs}/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html`;
const logGroup = `${docs}/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html`;
const retention = `${docs}/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html`;
const subscription = `${docs}/AmazonCloudWatchLogs/latest/APIReference/API_PutSubscriptionFilter.html`;
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
const releaseAlarms = `${docs}/codedeploy/latest/APIReference/API_CreateDeploymentGroup.html`;
const codeDeploy = `${docs}/codedeploy/latest/userguide/limits.html`;
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
export const awsLimits: readonly AwsLimit[] = [
  // CloudFormation
  { type: "Template", path: "Resources", measure: "items", max: 500, source: cloudFormation },
  { type: "Template", path: "Outputs", measure: "items", max: 200, source: cloudFormation },
  { type: "Template", path: "Parameters", measure: "items", max: 200, source: cloudFormation },
  { type: "Template", path: "Mappings", measure: "items", max: 200, source: cloudFormation },
  { type: "Template", path: "Text", measure: "bytes", max: 1_000_000, source: cloudFormation },
  { type: "Template", path: "Description", measure: "bytes", max: 1_024, source: cloudFormation },
  { type: "Template", path: "LogicalIds.*", measure: "characters", max: 255, source: cloudFormation },
  { type: "Template", path: "LogicalIds.*", measure: "form", form: alphanumeric, refused: "not-so", source: cloudFormation },
  { type: "Template", path: "Name", measure: "characters", max: 128, source: createStack },
  { type: "Template", path: "Name", measure: "form", form: /^[A-Za-z][-A-Za-z0-9]*$/, refused: "a_b", source: createStack },
  { type: "Output", path: "Id", measure: "characters", max: 255, source: cloudFormation },
  { type: "Output", path: "Value", measure: "characters", max: 1_024, source: cloudFormation },
  { type: "Output", path: "ExportName", measure: "characters", max: 255, source: cloudFormation },
  { type: "Output", path: "ExportName", measure: "count", max: 1, source: cloudFormation },
  { type: "*", path: "Tags", measure: "items", max: 50, source: tags },
  // IAM
  { type: "AWS::IAM::ManagedPolicy", path: "PolicyDocument", measure: "policy", max: 6_144, source: iam },
  { type: "AWS::IAM::ManagedPolicy", path: "PolicyText", measure: "form", form: policyText, refused: "€", source: iam },
  { type: "AWS::IAM::ManagedPolicy", path: "PolicyResources.*", measure: "form", form: /^(\*|arn:[^:]+(:[^:]*){3}:.+)$/, refused: "users", source: iamResource },
  { type: "AWS::IAM::ManagedPolicy", path: "PolicyActions.*", measure: "form", form: /^[a-z0-9-]+:[A-Za-z*]+$/, refused: "GetItem", source: iamAction },
  { type: "AWS::IAM::ManagedPolicy", path: "PolicyDocument.Statement.*.Action", measure: "items", min: 1, source: iamAction },
  { type: "AWS::IAM::ManagedPolicy", path: "ManagedPolicyName", measure: "characters", max: 128, source: iam },
  { type: "AWS::IAM::ManagedPolicy", path: "Description", measure: "characters", max: 1_000, source: iamPolicy },
  { type: "AWS::IAM::Role", path: "AllManagedPolicies", measure: "items", max: 10, source: iam },
  { type: "AWS::IAM::Role", path: "InlinePolicies", measure: "policy", max: 10_240, source: iam },
  { type: "AWS::IAM::Role", path: "AssumeRolePolicyDocument", measure: "policy", max: 2_048, source: iam },
  { type: "AWS::IAM::Role", path: "RoleName", measure: "characters", max: 64, source: iam },
  { type: "AWS::IAM::Role", path: "Description", measure: "characters", max: 1_000, source: iamRole },
  { type: "AWS::IAM::Role", path: "Description", measure: "form", form: describable, refused: "€", source: iamRole },
  { type: "AWS::IAM::Role", path: "Account", measure: "count", max: 1_000, source: iam },
  { type: "AWS::IAM::ManagedPolicy", path: "Account", measure: "count", max: 1_500, source: iam },
  // Lambda
  { type: "AWS::Lambda::Function", path: "Environment.Variables", measure: "environment", max: 4_096, source: lambda },
  {
    type: "AWS::Lambda::Function",
    path: "EnvironmentNames.*",
    measure: "form",
    form: new RegExp(`^(?!(${reserved})$)[A-Za-z][A-Za-z0-9_]+$`),
    refused: "AWS_REGION",
    source: environment,
  },
  { type: "AWS::Lambda::Function", path: "Layers", measure: "items", max: 5, source: lambda },
  { type: "AWS::Lambda::Function", path: "Timeout", measure: "value", min: 1, max: 900, source: lambda },
  { type: "AWS::Lambda::Function", path: "MemorySize", measure: "value", min: 128, max: 10_240, source: lambda },
  { type: "AWS::Lambda::Function", path: "Permissions", measure: "bytes", max: 20_480, source: lambda },
  { type: "AWS::Lambda::Function", path: "UnzippedBytes", measure: "value", max: 262_144_000, source: lambda },
  { type: "AWS::Lambda::Function", path: "FunctionName", measure: "characters", max: 64, source: lambdaFunction },
  { type: "AWS::Lambda::Function", path: "Description", measure: "characters", max: 256, source: lambdaFunction },
  { type: "AWS::Lambda::Function", path: "Handler", measure: "characters", max: 128, source: lambdaFunction },
  { type: "AWS::Lambda::Alias", path: "Name", measure: "form", form: /^(?!\d+$)[\w-]{1,128}$/, refused: "1", source: lambdaAlias },
  { type: "AWS::Lambda::EventInvokeConfig", path: "MaximumRetryAttempts", measure: "value", min: 0, max: 2, source: asyncInvoke },
  { type: "AWS::Lambda::EventSourceMapping", path: "BatchSize", measure: "value", min: 1, max: 10_000, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "BatchOfQueueAtOnce", measure: "value", max: 10, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "MaximumBatchingWindowInSeconds", measure: "value", min: 0, max: 300, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "ScalingConfig.MaximumConcurrency", measure: "value", min: 2, max: 1_000, source: scaling },
  { type: "AWS::Lambda::EventSourceMapping", path: "ParallelizationFactor", measure: "value", min: 1, max: 10, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "MaximumRetryAttempts", measure: "value", min: -1, max: 10_000, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "MaximumRecordAgeInSeconds", measure: "value", min: 60, max: 604_800, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "FilterCriteria.Filters", measure: "items", max: 5, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "FilterCriteria.Filters.*.Pattern", measure: "characters", max: 4_096, source: mapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "VisibleAfterTimeoutS", measure: "value", min: 0, source: sqsMapping },
  { type: "AWS::Lambda::EventSourceMapping", path: "EventSourceArn,FunctionName", measure: "count", max: 1, source: mapping },
  // API Gateway
  { type: "AWS::ApiGatewayV2::Route", path: "ApiId", measure: "count", max: 300, source: httpApi },
  { type: "AWS::ApiGatewayV2::Route", path: "ApiId,RouteKey", measure: "count", max: 1, source: routes },
  {
    type: "AWS::ApiGatewayV2::Route",
    path: "RouteKey",
    measure: "form",
    form: /^(\$default|(ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT) (\/|(\/([\w.~:@!$&'()*,;=%-]+|\{\w+\}))*(\/\{\w+\+?\})?))$/,
    refused: "GET users/{user_id",
    source: routes,
  },
  { type: "AWS::ApiGatewayV2::Integration", path: "ApiId", measure: "count", max: 300, source: httpApi },
  { type: "AWS::ApiGatewayV2::Authorizer", path: "ApiId", measure: "count", max: 10, source: httpApi },
  { type: "AWS::ApiGatewayV2::Stage", path: "ApiId", measure: "count", max: 10, source: httpApi },
  { type: "AWS::ApiGatewayV2::Stage", path: "AccessLogSettings.Format", measure: "bytes", max: 3_072, source: httpApi },
  { type: "AWS::ApiGatewayV2::Stage", path: "StageName", measure: "characters", max: 128, source: stage },
  { type: "AWS::ApiGatewayV2::Api", path: "Name", measure: "characters", max: 128, source: apis },
  { type: "AWS::ApiGatewayV2::ApiMapping", path: "DomainName", measure: "count", max: 200, source: httpApi },
  { type: "AWS::ApiGatewayV2::DomainName", path: "DomainName", measure: "count", max: 1, source: httpApi },
  // EventBridge
  { type: "AWS::Events::Rule", path: "EventBusName", measure: "count", max: 300, source: eventBridge },
  { type: "AWS::Events::Rule", path: "Targets", measure: "items", max: 5, source: eventBridge },
  { type: "AWS::Events::Rule", path: "EventPattern", measure: "bytes", max: 2_048, source: eventBridge },
  { type: "AWS::Events::Rule", path: "Name", measure: "characters", max: 64, source: putRule },
  { type: "AWS::Events::Rule", path: "Name", measure: "form", form: /^[.\-_A-Za-z0-9]+$/, refused: "a b", source: putRule },
  { type: "AWS::Events::Rule", path: "Description", measure: "characters", max: 512, source: putRule },
  { type: "AWS::Events::Rule", path: "ScheduleExpression", measure: "characters", max: 256, source: putRule },
  {
    type: "AWS::Events::Rule",
    path: "ScheduleExpression",
    measure: "form",
    form: /^(rate\((1 (minute|hour|day)|(?!0|1 )\d+ (minutes|hours|days))\)|cron\(\S+( \S+){5}\))$/,
    refused: "rate(1 minutes)",
    source: putRule,
  },
  { type: "AWS::Events::Rule", path: "Targets.*.Id", measure: "characters", max: 64, source: eventTarget },
  { type: "AWS::Events::Rule", path: "Targets.*.Input", measure: "characters", max: 8_192, source: eventTarget },
  { type: "AWS::Events::Rule", path: "Targets.*.RetryPolicy.MaximumRetryAttempts", measure: "value", min: 0, max: 185, source: retryPolicy },
  { type: "AWS::Events::Rule", path: "Targets.*.RetryPolicy.MaximumEventAgeInSeconds", measure: "value", min: 60, max: 86_400, source: retryPolicy },
  { type: "AWS::Events::EventBus", path: "Name", measure: "characters", max: 256, source: eventBus },
  { type: "AWS::Events::EventBus", path: "Name", measure: "form", form: /^(?!default$)[.\-_A-Za-z0-9]+$/, refused: "default", source: eventBus },
  { type: "AWS::Events::EventBus", path: "Name", measure: "count", max: 1, source: eventBus },
  { type: "AWS::Events::EventBus", path: "Account", measure: "count", max: 100, source: eventBridge },
  { type: "AWS::Events::EventBus", path: "Description", measure: "characters", max: 512, source: eventBus },
  // SQS
  { type: "AWS::SQS::Queue", path: "QueueName", measure: "characters", max: 80, source: sqsQueues },
  { type: "AWS::SQS::Queue", path: "FifoQueueName", measure: "form", form: /^[\w-]+\.fifo$/, refused: "orders", source: sqsQueues },
  { type: "AWS::SQS::Queue", path: "VisibilityTimeout", measure: "value", min: 0, max: 43_200, source: sqsQueue },
  { type: "AWS::SQS::Queue", path: "MessageRetentionPeriod", measure: "value", min: 60, max: 1_209_600, source: sqsQueue },
  { type: "AWS::SQS::Queue", path: "DelaySeconds", measure: "value", min: 0, max: 900, source: sqsQueue },
  { type: "AWS::SQS::Queue", path: "ReceiveMessageWaitTimeSeconds", measure: "value", min: 0, max: 20, source: sqsQueue },
  { type: "AWS::SQS::Queue", path: "RedrivePolicy.maxReceiveCount", measure: "value", min: 1, max: 1_000, source: sqsQueue },
  { type: "AWS::SQS::Queue", path: "KmsDataKeyReusePeriodSeconds", measure: "value", min: 60, max: 86_400, source: sqsQueue },
  { type: "AWS::SQS::QueuePolicy", path: "PolicyDocument", measure: "policy", max: 8_192, source: sqsPolicies },
  { type: "AWS::SQS::QueuePolicy", path: "PolicyDocument.Statement", measure: "items", max: 20, source: sqsPolicies },
  { type: "AWS::SQS::QueuePolicy", path: "PolicyDocument.Statement.*.Action", measure: "items", max: 7, source: sqsPolicies },
  { type: "AWS::SQS::QueuePolicy", path: "PolicyDocument.Statement.*.Condition", measure: "items", max: 10, source: sqsPolicies },
  // DynamoDB
  { type: "AWS::DynamoDB::Table", path: "TableName", measure: "characters", max: 255, source: dynamoDb },
  { type: "AWS::DynamoDB::Table", path: "GlobalSecondaryIndexes", measure: "items", max: 20, source: dynamoDb },
  { type: "AWS::DynamoDB::Table", path: "LocalSecondaryIndexes", measure: "items", max: 5, source: dynamoDb },
  { type: "AWS::DynamoDB::Table", path: "GlobalSecondaryIndexes.*.IndexName", measure: "characters", min: 3, max: 255, source: dynamoDb },
  { type: "AWS::DynamoDB::Table", path: "ProjectedAttributes", measure: "items", max: 100, source: dynamoDb },
  { type: "AWS::DynamoDB::Table", path: "PointInTimeRecoverySpecification.RecoveryPeriodInDays", measure: "value", min: 1, max: 35, source: restore },
  { type: "AWS::DynamoDB::Table", path: "UnmatchedAttributes", measure: "items", max: 0, source: createTable },
  { type: "AWS::DynamoDB::Table", path: "Account", measure: "count", max: 2_500, source: dynamoDb },
  // S3
  { type: "AWS::S3::Bucket", path: "BucketName", measure: "characters", min: 3, max: 63, source: bucketNames },
  { type: "AWS::S3::Bucket", path: "LifecycleConfiguration.Rules", measure: "items", max: 1_000, source: lifecycle },
  { type: "AWS::S3::BucketPolicy", path: "PolicyDocument", measure: "bytes", max: 20_480, source: bucketPolicy },
  // KMS, Secrets Manager
  { type: "AWS::KMS::Key", path: "KeyPolicy", measure: "bytes", max: 32_768, source: kms },
  { type: "AWS::KMS::Key", path: "Description", measure: "characters", max: 8_192, source: kmsKey },
  { type: "AWS::KMS::Alias", path: "AliasName", measure: "characters", max: 256, source: kmsAlias },
  { type: "AWS::KMS::Alias", path: "AliasName", measure: "form", form: /^alias\/(?!aws\/)[\w/-]+$/, refused: "alias/aws/own", source: kmsAlias },
  { type: "AWS::SecretsManager::Secret", path: "Name", measure: "characters", max: 512, source: secret },
  { type: "AWS::SecretsManager::Secret", path: "Name", measure: "form", form: /^[A-Za-z0-9/_+=.@-]+$/, refused: "a b", source: secret },
  { type: "AWS::SecretsManager::Secret", path: "Name", measure: "count", max: 1, source: secret },
  { type: "AWS::SecretsManager::Secret", path: "Description", measure: "characters", max: 2_048, source: secret },
  { type: "AWS::SecretsManager::Secret", path: "GenerateSecretString.PasswordLength", measure: "value", min: 1, max: 4_096, source: password },
  // Step Functions
  { type: "AWS::StepFunctions::StateMachine", path: "DefinitionString", measure: "bytes", max: 1_048_576, source: machine },
  { type: "AWS::StepFunctions::StateMachine", path: "StateMachineName", measure: "characters", max: 80, source: machine },
  { type: "AWS::StepFunctions::StateMachine", path: "LoggingConfiguration.Destinations", measure: "items", max: 1, source: machine },
  // CloudWatch
  { type: "AWS::CloudWatch::Alarm", path: "AlarmName", measure: "characters", max: 255, source: alarm },
  { type: "AWS::CloudWatch::Alarm", path: "AlarmDescription", measure: "characters", max: 1_024, source: alarm },
  { type: "AWS::CloudWatch::Alarm", path: "AlarmActions", measure: "items", max: 5, source: alarm },
  { type: "AWS::CloudWatch::Alarm", path: "Dimensions", measure: "items", max: 30, source: alarm },
  { type: "AWS::CloudWatch::Alarm", path: "Metrics", measure: "items", max: 20, source: alarm },
  { type: "AWS::CloudWatch::Alarm", path: "EvaluatedSeconds", measure: "value", max: 604_800, source: alarm },
  { type: "AWS::CloudWatch::CompositeAlarm", path: "AlarmName", measure: "characters", max: 255, source: compositeAlarm },
  { type: "AWS::CloudWatch::CompositeAlarm", path: "AlarmRule", measure: "characters", max: 10_240, source: compositeAlarm },
  { type: "AWS::CloudWatch::CompositeAlarm", path: "AlarmDescription", measure: "characters", max: 1_024, source: compositeAlarm },
  { type: "AWS::CloudWatch::CompositeAlarm", path: "AlarmActions", measure: "items", max: 5, source: compositeAlarm },
  { type: "AWS::CloudWatch::Dashboard", path: "DashboardName", measure: "characters", max: 255, source: cloudWatch },
  { type: "AWS::CloudWatch::Dashboard", path: "Widgets", measure: "items", max: 500, source: cloudWatch },
  { type: "AWS::CloudWatch::Dashboard", path: "Widgets.*.properties.metrics", measure: "items", max: 500, source: cloudWatch },
  { type: "AWS::Logs::LogGroup", path: "LogGroupName", measure: "characters", max: 512, source: logGroup },
  { type: "AWS::Logs::LogGroup", path: "LogGroupName", measure: "form", form: /^[.\-_/#A-Za-z0-9]+$/, refused: "a b", source: logGroup },
  { type: "AWS::Logs::LogGroup", path: "LogGroupName", measure: "count", max: 1, source: logGroup },
  { type: "AWS::Logs::LogGroup", path: "RetentionInDays", measure: "form", form: new RegExp(`^(${days.join("|")})$`), refused: "91", source: retention },
  { type: "AWS::Logs::SubscriptionFilter", path: "FilterPattern", measure: "characters", max: 1_024, source: subscription },
  { type: "AWS::Logs::SubscriptionFilter", path: "LogGroupName", measure: "count", max: 2, source: subscription },
  { type: "AWS::Logs::ResourcePolicy", path: "PolicyDocument", measure: "bytes", max: 5_120, source: logPolicy },
  { type: "AWS::Logs::ResourcePolicy", path: "Account", measure: "count", max: 10, source: logPolicy },
  // SNS
  { type: "AWS::SNS::Topic", path: "TopicName", measure: "characters", max: 256, source: sns },
  { type: "AWS::SNS::TopicPolicy", path: "PolicyDocument", measure: "bytes", max: 30_720, source: snsPolicy },
  // WAF and CloudFront
  { type: "AWS::WAFv2::WebACL", path: "Capacity", measure: "value", max: 1_500, source: wafCapacity },
  { type: "AWS::WAFv2::WebACL", path: "Name", measure: "characters", max: 128, source: webAcl },
  { type: "AWS::WAFv2::WebACL", path: "Rules.*.Name", measure: "form", form: /^[\w-]{1,128}$/, refused: "a b", source: webAcl },
  { type: "AWS::WAFv2::WebACL", path: "Rules.*.Statement.RateBasedStatement.Limit", measure: "value", min: 10, max: 2_000_000_000, source: wafRate },
  { type: "AWS::CloudFront::Distribution", path: "DistributionConfig.Aliases", measure: "items", max: 100, source: cloudFront },
  { type: "AWS::CloudFront::Distribution", path: "DistributionConfig.Origins", measure: "items", max: 100, source: cloudFront },
  { type: "AWS::CloudFront::Distribution", path: "DistributionConfig.Origins.*.OriginCustomHeaders", measure: "items", max: 30, source: cloudFront },
  { type: "AWS::CloudFront::Distribution", path: "DistributionConfig.Origins.*.OriginCustomHeaders.*.HeaderValue", measure: "characters", max: 1_783, source: cloudFront },
  { type: "AWS::CloudFront::Distribution", path: "DistributionConfig.Comment", measure: "characters", max: 128, source: distribution },
  // CodeDeploy
  { type: "AWS::CodeDeploy::Application", path: "Account", measure: "count", max: 1_000, source: codeDeploy },
  { type: "AWS::CodeDeploy::DeploymentGroup", path: "ApplicationName", measure: "count", max: 1_000, source: codeDeploy },
  { type: "AWS::CodeDeploy::DeploymentGroup", path: "AlarmConfiguration.Alarms", measure: "items", max: 10, source: releaseAlarms },
  // Backup
  { type: "AWS::Backup::BackupVault", path: "BackupVaultName", measure: "form", form: /^[A-Za-z0-9_-]{2,50}$/, refused: "a b", source: vault },
  { type: "AWS::Backup::BackupVault", path: "BackupVaultName", measure: "count", max: 1, source: vault },
  { type: "AWS::Backup::BackupPlan", path: "BackupPlan.BackupPlanRule.*.RuleName", measure: "form", form: /^[\w.-]{1,50}$/, refused: "a b", source: backupRule },
  { type: "AWS::Backup::BackupSelection", path: "BackupSelection.Resources", measure: "items", max: 500, source: backupSelection },
  { type: "AWS::Backup::BackupSelection", path: "BackupSelection.SelectionName", measure: "form", form: /^[\w.-]{1,50}$/, refused: "a b", source: backupSelection },
];

/** Resource types without a limit above, and the reason. */
export const unlimitedTypes: Readonly<Record<string, string>> = {
  "AWS::Lambda::Version": "has no limit but the storage of code, which depends on earlier deployments",
  "AWS::Lambda::Permission": "counts as part of its function's policy",
  "AWS::SNS::Subscription": "is one address, which the settings check",
};
