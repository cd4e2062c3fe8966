import * as iam from "aws-cdk-lib/aws-iam";
import { Aws } from "aws-cdk-lib/core";

const KEY_USAGE_ACTIONS = [
  "kms:Decrypt",
  "kms:Encrypt",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
  "kms:GenerateDataKey",
  "kms:GenerateDataKeyWithoutPlaintext",
  "kms:DescribeKey",
];

/**
 * Allows the use of the key only through the services of tables, buckets, queues and secrets, for their users.
 * @param others additional services.
 */
export function allowUseThroughServices(others: readonly string[]): iam.PolicyStatement {
  return new iam.PolicyStatement({
    principals: [new iam.AnyPrincipal()],
    actions: [...KEY_USAGE_ACTIONS, "kms:CreateGrant"],
    resources: ["*"],
    conditions: {
      StringEquals: {
        "kms:CallerAccount": Aws.ACCOUNT_ID,
        "kms:ViaService": ["dynamodb", "s3", "sqs", "secretsmanager", ...others].map(
          (name) => `${name}.${Aws.REGION}.amazonaws.com`,
        ),
      },
    },
  });
}

/** Allows CloudWatch Logs to use the key for the log groups of the account. */
export function allowUseByLogs(): iam.PolicyStatement {
  return new iam.PolicyStatement({
    principals: [new iam.ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
    actions: KEY_USAGE_ACTIONS,
    resources: ["*"],
    conditions: {
      ArnLike: { "kms:EncryptionContext:aws:logs:arn": `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*` },
    },
  });
}

/** Allows CloudWatch alarms to notify an encrypted topic. */
export function allowUseByAlarms(): iam.PolicyStatement {
  return new iam.PolicyStatement({
    principals: [new iam.ServicePrincipal("cloudwatch.amazonaws.com")],
    actions: ["kms:Decrypt", "kms:GenerateDataKey"],
    resources: ["*"],
    conditions: { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } },
  });
}
