import * as backup from "aws-cdk-lib/aws-backup";
import type * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as events from "aws-cdk-lib/aws-events";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as kms from "aws-cdk-lib/aws-kms";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { acknowledgeFindings } from "./acknowledge-findings.ts";

interface BackupsProps {
  readonly tables: readonly dynamodb.Table[];
  readonly key: kms.Key;
  /** Retention of each backup, in days. */
  readonly days: number;
}

/**
 * A daily backup of every table, in addition to point-in-time recovery. Erased users stay in the backups until these
 * expire.
 */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { tables, key, days }: BackupsProps) {
    super(scope, id);
    const vault = new backup.BackupVault(this, "Vault", { encryptionKey: key, removalPolicy: RemovalPolicy.RETAIN });
    const plan = new backup.BackupPlan(this, "Plan", {
      backupVault: vault,
      backupPlanRules: [
        new backup.BackupPlanRule({
          ruleName: "daily",
          scheduleExpression: events.Schedule.cron({ hour: "5", minute: "0" }),
          deleteAfter: Duration.days(days),
        }),
      ],
    });
    const role = new iam.Role(this, "Role", {
      assumedBy: new iam.ServicePrincipal("backup.amazonaws.com"),
      managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSBackupServiceRolePolicyForBackup")],
    });
    acknowledgeFindings(
      role,
      "AWS maintains this policy for AWS Backup, so it always matches the permissions that the service needs.",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]",
    );
    plan.addSelection("Tables", {
      role: role.withoutPolicyUpdates(),
      resources: tables.map((table) => backup.BackupResource.fromDynamoDbTable(table)),
      disableDefaultBackupPolicy: true,
    });
  }
}
