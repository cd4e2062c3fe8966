import type * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import type * as events from "aws-cdk-lib/aws-events";
import type * as iam from "aws-cdk-lib/aws-iam";
import type * as kms from "aws-cdk-lib/aws-kms";
import type * as s3 from "aws-cdk-lib/aws-s3";
import type * as secretsmanager from "aws-cdk-lib/aws-secretsmanager";
import type * as sns from "aws-cdk-lib/aws-sns";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import type {
  BucketResource,
  KeyResource,
  QueueResource,
  SecretResource,
  TableResource,
} from "../contract/resource-kinds.ts";
import type { DeploymentConfig } from "./config.ts";

/** The constructs that functions have grants on or refer to. Filled stack by stack while the app is built. */
export interface DeploymentResources {
  readonly config: DeploymentConfig;
  readonly dataKey: kms.Key;
  readonly bus: events.EventBus;
  /** The topic that every alarm notifies. */
  readonly alarms: sns.ITopic;
  /** The permission to write traces, for every function. */
  readonly tracing: iam.IManagedPolicy;
  /** URL of the main API, used in links and logos of responses. */
  readonly baseUrl: string;
  /** The secret of requests that come through CloudFront; undefined without CloudFront. */
  readonly edgeSecret: string | undefined;
  /** URL of the main API itself. Same as `baseUrl` without CloudFront. */
  readonly edgeOrigin: string;
  /** The function that exports spans; undefined without a receiver. */
  readonly spanExporterArn: string | undefined;
  readonly deletionMachineArn: string;
  /** ARN pattern of the executions of the deletion machine. */
  readonly deletionExecutionsArn: string;
  bucket(resource: BucketResource): s3.Bucket;
  table(resource: TableResource): dynamodb.Table;
  queue(resource: QueueResource): sqs.Queue;
  key(resource: KeyResource): kms.Key;
  secret(resource: SecretResource): secretsmanager.CfnSecret;
}
