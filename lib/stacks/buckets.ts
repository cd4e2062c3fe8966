import * as iam from "aws-cdk-lib/aws-iam";
import type * as kms from "aws-cdk-lib/aws-kms";
import * as s3 from "aws-cdk-lib/aws-s3";
import { Aws, Duration, type RemovalPolicy } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { BucketResource } from "../contract/resource-kinds.ts";
import { acknowledgeFindings } from "./acknowledge-findings.ts";

/** Days for which a deleted or replaced object can be restored. */
const DELETED_OBJECT_DAYS = 1;

interface BucketProps {
  readonly key: kms.IKey;
  readonly removalPolicy: RemovalPolicy;
}

/** Creates the bucket of a resource in the data stack. */
export function createBucket(
  scope: Construct,
  { name, expireDays }: BucketResource,
  { key, removalPolicy }: BucketProps,
): s3.Bucket {
  const bucket = new s3.Bucket(scope, name.charAt(0).toUpperCase() + name.slice(1), {
    encryption: s3.BucketEncryption.KMS,
    encryptionKey: key,
    bucketKeyEnabled: true,
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    versioned: true,
    lifecycleRules: [
      {
        ...(expireDays === undefined
          ? // The mark of a deletion names the object, and with it a team and a user. An expiration in days removes marks too.
            { expiredObjectDeleteMarker: true }
          : { expiration: Duration.days(expireDays) }),
        noncurrentVersionExpiration: Duration.days(DELETED_OBJECT_DAYS),
      },
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy,
  });
  acknowledgeMissingReplica(bucket);
  return bucket;
}

interface AccessLogProps {
  /** Retention of the logs, in days. */
  readonly days: number;
  readonly removalPolicy: RemovalPolicy;
}

/** Writes S3 server access logs of the buckets into a bucket of their own. Object names contain only ids. */
export function logAccess(
  scope: Construct,
  buckets: Readonly<Record<string, s3.Bucket>>,
  { days, removalPolicy }: AccessLogProps,
): void {
  const logs = new s3.Bucket(scope, "AccessLogs", {
    encryption: s3.BucketEncryption.S3_MANAGED,
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    versioned: true,
    lifecycleRules: [{ expiration: Duration.days(days), noncurrentVersionExpiration: Duration.days(1) }],
    removalPolicy,
  });
  acknowledgeMissingReplica(logs);
  acknowledgeFindings(
    logs,
    "S3 delivers server access logs only to buckets with SSE-S3 as default encryption.",
    "HIPAA.Security-S3DefaultEncryptionKMS",
  );
  logs.addToResourcePolicy(allowLogDelivery(logs, Object.values(buckets)));
  for (const [name, bucket] of Object.entries(buckets)) {
    const logged = bucket.node.defaultChild as s3.CfnBucket;
    logged.loggingConfiguration = { destinationBucketName: logs.bucketName, logFilePrefix: `${name}/` };
  }
}

function acknowledgeMissingReplica(bucket: s3.Bucket): void {
  acknowledgeFindings(
    bucket,
    "A replica would keep what an erasure deletes; object versions restore what was deleted by mistake.",
    "HIPAA.Security-S3BucketReplicationEnabled",
  );
}

/** Allows S3 to deliver the access logs of these buckets. */
const allowLogDelivery = (logs: s3.Bucket, buckets: readonly s3.Bucket[]) =>
  new iam.PolicyStatement({
    principals: [new iam.ServicePrincipal("logging.s3.amazonaws.com")],
    actions: ["s3:PutObject"],
    resources: [logs.arnForObjects("*")],
    conditions: {
      ArnLike: { "aws:SourceArn": buckets.map(({ bucketArn }) => bucketArn) },
      StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
    },
  });
