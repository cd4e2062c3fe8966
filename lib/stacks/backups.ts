import * as backup from "aws-cdk-lib/aws-backup";
import type * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as events from "aws-cdk-lib/aws-events";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as kms from "aws-cdk-lib/aws-kms";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";

interface BackupsProps {
  readonly tables: readonly dynamodb.Table[];
  readonly key: kms.Key;
  /** How long each copy is kept. */
  readonly days: number;
}

/** A daily copy of every table in a vault, beside the recovery to any point. Erased users stay in copies until these go. */
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
    plan.addSelection("Tables", {
      role: role.withoutPolicyUpdates(),
      resources: tables.map((table) => backup.BackupResource.fromDynamoDbTable(table)),
      disableDefaultBackupPolicy: true,
    });
  }
}
