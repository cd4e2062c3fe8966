/** Naming rules of a resource type and the values of its references; see {@link physicalNames}. */
export interface ResourceTypeNaming {
  /** The property with the explicit name. */
  readonly nameProperty?: string;
  /** Maximum length of a name in the service. */
  readonly maxLength?: number;
  /** Whether the service allows only lower-case names. */
  readonly lowerCase?: true;
  /** The value of `Ref`. */
  readonly ref: string;
  /** The values of `Fn::GetAtt`, by attribute. */
  readonly attributes?: Readonly<Record<string, string>>;
}

const regional = (service: string, path: string) => `arn:aws:${service}:{region}:{account}:${path}`;
const global = (service: string, path: string) => `arn:aws:${service}::{account}:${path}`;

const table: ResourceTypeNaming = {
  nameProperty: "TableName",
  maxLength: 255,
  ref: "{name}",
  attributes: {
    Arn: regional("dynamodb", "table/{name}"),
    StreamArn: regional("dynamodb", "table/{name}/stream/local"),
  },
};

const alarm: ResourceTypeNaming = {
  nameProperty: "AlarmName",
  maxLength: 255,
  ref: "{name}",
  attributes: { Arn: regional("cloudwatch", "alarm:{name}") },
};

const idOnly: ResourceTypeNaming = { ref: "{id}" };

/**
 * The values of `Ref` and `Fn::GetAtt` for each resource type (section "Return values" of the type's page in the
 * CloudFormation template reference). Placeholders: `{name}` `{region}` `{account}`; `{id}` (ten characters),
 * `{number}` and `{uuid}`, all derived from stack and logical id; `{queueOrigin}` and `{apiOrigin}`, the local origins
 * of queues and of this API; `{ruleBus}`, empty for a rule of the default bus.
 */
export const physicalNames: Readonly<Record<string, ResourceTypeNaming>> = {
  "AWS::ApiGatewayV2::Api": {
    nameProperty: "Name",
    ref: "{id}",
    attributes: { ApiEndpoint: "{apiOrigin}", ApiId: "{id}" },
  },
  "AWS::ApiGatewayV2::Authorizer": idOnly,
  "AWS::ApiGatewayV2::Deployment": idOnly,
  "AWS::ApiGatewayV2::DomainName": {
    nameProperty: "DomainName",
    ref: "{name}",
    attributes: { RegionalDomainName: "d-{id}.execute-api.{region}.amazonaws.com" },
  },
  "AWS::ApiGatewayV2::Integration": idOnly,
  "AWS::ApiGatewayV2::Route": idOnly,
  "AWS::ApiGatewayV2::Stage": { nameProperty: "StageName", ref: "{name}" },
  "AWS::Backup::BackupPlan": { ref: "{uuid}", attributes: { BackupPlanId: "{uuid}" } },
  "AWS::Backup::BackupVault": {
    nameProperty: "BackupVaultName",
    maxLength: 50,
    ref: "{name}",
    attributes: { BackupVaultArn: regional("backup", "backup-vault:{name}"), BackupVaultName: "{name}" },
  },
  "AWS::CloudFront::Distribution": { ref: "{id}", attributes: { DomainName: "{id}.cloudfront.net", Id: "{id}" } },
  "AWS::CloudWatch::Alarm": alarm,
  "AWS::CloudWatch::CompositeAlarm": alarm,
  "AWS::CloudWatch::Dashboard": { nameProperty: "DashboardName", maxLength: 255, ref: "{name}" },
  "AWS::DynamoDB::GlobalTable": table,
  "AWS::DynamoDB::Table": table,
  "AWS::Events::EventBus": {
    nameProperty: "Name",
    maxLength: 256,
    ref: "{name}",
    attributes: { Arn: regional("events", "event-bus/{name}"), Name: "{name}" },
  },
  "AWS::Events::Rule": {
    nameProperty: "Name",
    maxLength: 64,
    ref: "{name}",
    attributes: { Arn: regional("events", "rule/{ruleBus}{name}") },
  },
  "AWS::IAM::ManagedPolicy": {
    nameProperty: "ManagedPolicyName",
    maxLength: 128,
    ref: global("iam", "policy/{name}"),
    attributes: { PolicyArn: global("iam", "policy/{name}") },
  },
  "AWS::IAM::Policy": { nameProperty: "PolicyName", maxLength: 128, ref: "{name}" },
  "AWS::IAM::Role": {
    nameProperty: "RoleName",
    maxLength: 64,
    ref: "{name}",
    attributes: { Arn: global("iam", "role/{name}"), RoleId: "{id}" },
  },
  "AWS::KMS::Alias": { nameProperty: "AliasName", maxLength: 256, ref: "{name}" },
  "AWS::KMS::Key": { ref: "{uuid}", attributes: { Arn: regional("kms", "key/{uuid}"), KeyId: "{uuid}" } },
  "AWS::Lambda::EventSourceMapping": { ref: "{uuid}", attributes: { Id: "{uuid}" } },
  "AWS::Lambda::Function": {
    nameProperty: "FunctionName",
    maxLength: 64,
    ref: "{name}",
    attributes: { Arn: regional("lambda", "function:{name}") },
  },
  "AWS::Logs::LogGroup": {
    nameProperty: "LogGroupName",
    maxLength: 512,
    ref: "{name}",
    attributes: { Arn: regional("logs", "log-group:{name}:*") },
  },
  "AWS::S3::Bucket": {
    nameProperty: "BucketName",
    maxLength: 63,
    lowerCase: true,
    ref: "{name}",
    attributes: { Arn: "arn:aws:s3:::{name}" },
  },
  "AWS::SNS::Topic": {
    nameProperty: "TopicName",
    maxLength: 256,
    ref: regional("sns", "{name}"),
    attributes: { TopicArn: regional("sns", "{name}"), TopicName: "{name}" },
  },
  "AWS::SQS::Queue": {
    nameProperty: "QueueName",
    maxLength: 80,
    ref: "{queueOrigin}/{account}/{name}",
    attributes: {
      Arn: regional("sqs", "{name}"),
      QueueName: "{name}",
      QueueUrl: "{queueOrigin}/{account}/{name}",
    },
  },
  "AWS::CodeDeploy::Application": { nameProperty: "ApplicationName", maxLength: 100, ref: "{name}" },
  "AWS::CodeDeploy::DeploymentGroup": { nameProperty: "DeploymentGroupName", maxLength: 100, ref: "{name}" },
  "AWS::Lambda::Alias": { nameProperty: "Name", ref: regional("lambda", "function:{id}:{name}") },
  "AWS::Lambda::Version": { ref: regional("lambda", "function:{id}:{number}"), attributes: { Version: "{number}" } },
  "AWS::SSM::Parameter": { nameProperty: "Name", ref: "{name}" },
  "AWS::Scheduler::Schedule": {
    nameProperty: "Name",
    maxLength: 64,
    ref: "{name}",
    attributes: { Arn: regional("scheduler", "schedule/default/{name}") },
  },
  "AWS::SecretsManager::Secret": {
    nameProperty: "Name",
    maxLength: 512,
    ref: regional("secretsmanager", "secret:{name}"),
    attributes: { Id: regional("secretsmanager", "secret:{name}") },
  },
  "AWS::StepFunctions::StateMachine": {
    nameProperty: "StateMachineName",
    maxLength: 80,
    ref: regional("states", "stateMachine:{name}"),
    attributes: { Arn: regional("states", "stateMachine:{name}"), Name: "{name}" },
  },
  "AWS::WAFv2::WebACL": {
    nameProperty: "Name",
    maxLength: 128,
    ref: "{name}|{uuid}|CLOUDFRONT",
    attributes: { Arn: regional("wafv2", "global/webacl/{name}/{uuid}") },
  },
};
