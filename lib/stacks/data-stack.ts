import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as kms from "aws-cdk-lib/aws-kms";
import type * as s3 from "aws-cdk-lib/aws-s3";
import * as secretsmanager from "aws-cdk-lib/aws-secretsmanager";
import { RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { SecretResource, TableResource } from "../contract/resource-kinds.ts";
import {
  buckets,
  credentialsKey,
  dataKey,
  eventTable,
  secrets,
  tables,
  webhookSecretsKey,
} from "../contract/resources.ts";
import { acknowledgeFindings } from "./acknowledge-findings.ts";
import { Backups } from "./backups.ts";
import { createBucket, logAccess } from "./buckets.ts";
import type { DeploymentConfig } from "./config.ts";
import { edgeSecretName } from "./edge-stack.ts";
import { allowUseByAlarms, allowUseByLogs, allowUseThroughServices } from "./key-policy.ts";

/** Everything that stores data: tables, buckets, secrets, and their encryption keys. */
export class DataStack extends Stack {
  readonly tables: Readonly<Record<string, dynamodb.Table>>;
  readonly buckets: Readonly<Record<string, s3.Bucket>>;
  readonly dataKey: kms.Key;
  /** The keys that functions use directly, by name. */
  readonly keys: Readonly<Record<string, kms.Key>>;
  readonly secrets: Readonly<Record<string, secretsmanager.CfnSecret>>;
  readonly #config: DeploymentConfig;

  constructor(scope: Construct, id: string, props: StackProps & { config: DeploymentConfig }) {
    super(scope, id, props);
    this.#config = props.config;
    const { backupDays } = props.config;
    this.dataKey = this.#key("DataKey", "Encrypts tables, buckets, queues, secrets, logs and alarms");
    this.dataKey.addToResourcePolicy(allowUseThroughServices(backupDays === undefined ? [] : ["backup"]));
    this.dataKey.addToResourcePolicy(allowUseByLogs());
    this.dataKey.addToResourcePolicy(allowUseByAlarms());
    this.keys = {
      [webhookSecretsKey.name]: this.#key("WebhookSecretsKey", "Wraps the data keys of webhook secrets"),
      [credentialsKey.name]: this.#key("CredentialsKey", "Wraps the data keys of credentials for other services"),
      [dataKey.name]: this.dataKey,
    };
    this.tables = Object.fromEntries(tables.map((resource) => [resource.name, this.#table(resource)]));
    const stored = { key: this.dataKey, removalPolicy: this.#removalOnceCreated };
    this.buckets = Object.fromEntries(buckets.map((resource) => [resource.name, createBucket(this, resource, stored)]));
    this.secrets = Object.fromEntries(secrets.map((secret) => [secret.name, this.#secret(secret, props.config)]));
    if (props.config.edge) this.#edgeSecret();
    logAccess(this, this.buckets, { days: props.config.logRetentionDays, removalPolicy: this.#removalOnceCreated });
    if (backupDays !== undefined) {
      const backedUp = tables.filter((table) => this.#isBackedUp(table)).flatMap(({ name }) => this.tables[name] ?? []);
      new Backups(this, "Backups", { tables: backedUp, key: this.dataKey, days: backupDays });
    }
  }

  /** The stream of the events table, which the relay reads. */
  get eventStreamArn(): string {
    return this.tables[eventTable.name]?.tableStreamArn ?? "";
  }

  /** Removal policy of tables and keys. CloudFormation cannot delete a protected table even after a failed creation. */
  get #removal(): RemovalPolicy {
    return this.#config.removal === "destroy" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
  }

  /**
   * Removal policy of secrets and buckets. The rollback of a deployment deletes those that it created, which are empty:
   * a secret that stays would block the next deployment by its name.
   */
  get #removalOnceCreated(): RemovalPolicy {
    return this.#config.removal === "destroy" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
  }

  /** Whether daily backups are configured and include a table. */
  #isBackedUp({ maxRestoreDays }: TableResource): boolean {
    return this.#config.backupDays !== undefined && maxRestoreDays === undefined;
  }

  #key(id: string, description: string): kms.Key {
    return new kms.Key(this, id, { description, enableKeyRotation: true, removalPolicy: this.#removal });
  }

  #table(resource: TableResource): dynamodb.Table {
    const table = new dynamodb.Table(this, `Table-${resource.name}`, {
      partitionKey: { name: "pk", type: dynamodb.AttributeType.STRING },
      sortKey: { name: "sk", type: dynamodb.AttributeType.STRING },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.dataKey,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: Math.min(this.#config.restoreDays, resource.maxRestoreDays ?? this.#config.restoreDays),
      },
      deletionProtection: this.#config.removal === "retain",
      timeToLiveAttribute: "expires_at",
      removalPolicy: this.#removal,
      ...(resource.stream ? { stream: dynamodb.StreamViewType.NEW_IMAGE } : {}),
    });
    for (const [indexName, { partitionKey, sortKey, projectedAttributes }] of Object.entries(resource.indexes)) {
      const { ALL, KEYS_ONLY, INCLUDE } = dynamodb.ProjectionType;
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: partitionKey, type: dynamodb.AttributeType.STRING },
        sortKey: { name: sortKey, type: dynamodb.AttributeType.STRING },
        projectionType:
          projectedAttributes === undefined ? ALL : projectedAttributes.length === 0 ? KEYS_ONLY : INCLUDE,
        ...(projectedAttributes?.length ? { nonKeyAttributes: [...projectedAttributes] } : {}),
      });
    }
    if (!this.#isBackedUp(resource)) {
      acknowledgeFindings(
        table,
        "Point-in-time recovery covers 35 days; an erasure would have to remove the user from copies in a vault too.",
        "HIPAA.Security-DynamoDBInBackupPlan",
      );
    }
    return table;
  }

  /** A secret without value. The operator sets it; CDK's L2 construct would generate a value. */
  #secret({ name }: SecretResource, config: DeploymentConfig): secretsmanager.CfnSecret {
    const secret = new secretsmanager.CfnSecret(this, `Secret-${name}`, {
      name: `${config.name.toLowerCase()}/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      description: "Set by whoever deploys; see docs/linking.md",
      kmsKeyId: this.dataKey.keyArn,
    });
    secret.applyRemovalPolicy(this.#removalOnceCreated);
    acknowledgeFindings(
      secret,
      "Providers issue client secrets on their web pages; a function cannot rotate them.",
      "AwsSolutions-SMG4",
      "HIPAA.Security-SecretsManagerRotationEnabled",
    );
    return secret;
  }

  /** A generated secret. Nobody needs to know it, and losing it is harmless. */
  #edgeSecret(): void {
    const secret = new secretsmanager.CfnSecret(this, "Secret-edge", {
      name: edgeSecretName(this.#config.name),
      description: "What CloudFront sends to the main API; see docs/deploy.md",
      kmsKeyId: this.dataKey.keyArn,
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
    acknowledgeFindings(
      secret,
      "CloudFront and functions must change it together, by a deployment; see docs/deploy.md.",
      "AwsSolutions-SMG4",
      "HIPAA.Security-SecretsManagerRotationEnabled",
    );
  }
}
