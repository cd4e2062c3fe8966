import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as iam from "aws-cdk-lib/aws-iam";
import * as kms from "aws-cdk-lib/aws-kms";
import * as s3 from "aws-cdk-lib/aws-s3";
import * as secretsmanager from "aws-cdk-lib/aws-secretsmanager";
import { Aws, Duration, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { BucketResource, SecretResource, TableResource } from "../contract/resource-kinds.ts";
import {
  buckets,
  credentialsKey,
  dataKey,
  eventTable,
  secrets,
  tables,
  webhookSecretsKey,
} from "../contract/resources.ts";
import { Backups } from "./backups.ts";
import type { DeploymentConfig } from "./config.ts";
import { edgeSecretName } from "./edge-stack.ts";
import { useByAlarms, useByLogs, useThroughServices } from "./key-policy.ts";

/** Days for which a deleted or replaced object can be restored. */
const DELETED_OBJECT_DAYS = 1;

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
    this.dataKey.addToResourcePolicy(useThroughServices(backupDays === undefined ? [] : ["backup"]));
    this.dataKey.addToResourcePolicy(useByLogs());
    this.dataKey.addToResourcePolicy(useByAlarms());
    this.keys = {
      [webhookSecretsKey.name]: this.#key("WebhookSecretsKey", "Wraps the data keys of webhook secrets"),
      [credentialsKey.name]: this.#key("CredentialsKey", "Wraps the data keys of credentials for other services"),
      [dataKey.name]: this.dataKey,
    };
    this.tables = Object.fromEntries(tables.map((resource) => [resource.name, this.#table(resource)]));
    this.buckets = Object.fromEntries(buckets.map((resource) => [resource.name, this.#bucket(resource)]));
    this.secrets = Object.fromEntries(secrets.map((secret) => [secret.name, this.#secret(secret, props.config)]));
    if (props.config.edge) this.#edgeSecret();
    this.#logAccess(props.config);
    if (backupDays !== undefined) {
      const copied = tables.filter(({ mostRestoreDays }) => mostRestoreDays === undefined);
      const kept = copied.flatMap(({ name }) => this.tables[name] ?? []);
      new Backups(this, "Backups", { tables: kept, key: this.dataKey, days: backupDays });
    }
  }

  /** The stream of the events table, which the relay reads. */
  get eventStreamArn(): string {
    return this.tables[eventTable.name]?.tableStreamArn ?? "";
  }

  /** Removal policy of resources with data. */
  get #removal(): RemovalPolicy {
    return this.#config.removal === "destroy" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
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
        recoveryPeriodInDays: Math.min(this.#config.restoreDays, resource.mostRestoreDays ?? this.#config.restoreDays),
      },
      deletionProtection: this.#config.removal === "retain",
      timeToLiveAttribute: "expires_at",
      removalPolicy: this.#removal,
      ...(resource.stream ? { stream: dynamodb.StreamViewType.NEW_IMAGE } : {}),
    });
    for (const [indexName, { partitionKey, sortKey, carries }] of Object.entries(resource.indexes)) {
      const { ALL, KEYS_ONLY, INCLUDE } = dynamodb.ProjectionType;
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: partitionKey, type: dynamodb.AttributeType.STRING },
        sortKey: { name: sortKey, type: dynamodb.AttributeType.STRING },
        projectionType: carries === undefined ? ALL : carries.length === 0 ? KEYS_ONLY : INCLUDE,
        ...(carries?.length ? { nonKeyAttributes: [...carries] } : {}),
      });
    }
    return table;
  }

  #bucket(resource: BucketResource): s3.Bucket {
    const days = resource.expireDays;
    return new s3.Bucket(this, constructName(resource), {
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: this.dataKey,
      bucketKeyEnabled: true,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        {
          ...(days === undefined ? {} : { expiration: Duration.days(days) }),
          noncurrentVersionExpiration: Duration.days(DELETED_OBJECT_DAYS),
        },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: this.#removal,
    });
  }

  /** A secret without value. The operator sets it; CDK's L2 construct would generate a value. */
  #secret({ name }: SecretResource, config: DeploymentConfig): secretsmanager.CfnSecret {
    const secret = new secretsmanager.CfnSecret(this, `Secret-${name}`, {
      name: `${config.name.toLowerCase()}/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      description: "Set by whoever deploys; see docs/linking.md",
      kmsKeyId: this.dataKey.keyArn,
    });
    secret.applyRemovalPolicy(this.#removal);
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
  }

  /** S3 server access logs. Object names contain only ids. S3 delivers these logs only with SSE-S3 encryption. */
  #logAccess(config: DeploymentConfig): void {
    const logs = new s3.Bucket(this, "AccessLogs", {
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        { expiration: Duration.days(config.logRetentionDays), noncurrentVersionExpiration: Duration.days(1) },
      ],
      removalPolicy: this.#removal,
    });
    logs.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal("logging.s3.amazonaws.com")],
        actions: ["s3:PutObject"],
        resources: [logs.arnForObjects("*")],
        conditions: {
          ArnLike: { "aws:SourceArn": Object.values(this.buckets).map(({ bucketArn }) => bucketArn) },
          StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
        },
      }),
    );
    for (const [name, bucket] of Object.entries(this.buckets)) {
      const logged = bucket.node.defaultChild as s3.CfnBucket;
      logged.loggingConfiguration = { destinationBucketName: logs.bucketName, logFilePrefix: `${name}/` };
    }
  }
}

const constructName = ({ name }: BucketResource) => name.charAt(0).toUpperCase() + name.slice(1);
