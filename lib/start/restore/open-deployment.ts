import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { KeyResource, TableResource } from "../../contract/resource-kinds.ts";
import { erasureTable, tables } from "../../contract/resources.ts";
import type { DataKeyProvider } from "../../crypto/envelope-encryption.ts";
import { Table } from "../../store/table.ts";
import { AdminRefused } from "../admin-refused.ts";
import { nameBuckets, nameTables } from "../deployment-environment.ts";
import type { DeploymentData } from "./deployment-data.ts";
import { restoreTablesAt } from "./restore-tables-at.ts";

/** A deployment by its name, as in cdk.json. */
export interface DeploymentName {
  readonly stack: string;
  /** AWS region; that of the credentials by default. */
  readonly region?: string | undefined;
}

/** Opens a deployment. @param keyArns its KMS keys by name; without them it can only be read. */
export async function openDeployment(
  { stack, region }: DeploymentName,
  keyArns: Readonly<Record<string, string | undefined>> = {},
): Promise<DeploymentData> {
  const place = region === undefined ? {} : { region };
  const dynamodb = new DynamoDBClient(place);
  const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
  const s3 = new S3Client(place);
  const tableNames = await nameTables(dynamodb, stack);
  const bucketNames = await nameBuckets(s3, stack);
  const kms = new KMSClient(place);
  return {
    table: ({ name }) => new Table(documents, tableNames.get(name) ?? ""),
    s3,
    bucketName: ({ name }) => bucketNames.get(name) ?? "",
    dataKeys: (key) => openDataKeys(kms, key, keyArns[key.name]),
  };
}

/**
 * Opens the tables of a deployment as they were at an instant, by copies beside them. The list of erasures is the
 * latest. @param at epoch ms.
 */
export async function openDeploymentAt(named: DeploymentName, at: number): Promise<DeploymentData> {
  const data = await openDeployment(named);
  const client = new DynamoDBClient(named.region === undefined ? {} : { region: named.region });
  const suffix = `-restored-${at}`;
  const wanted = tables.map((table) => ({
    name: data.table(table).name,
    ...(table === erasureTable ? {} : { at }),
  }));
  await restoreTablesAt(client, wanted, suffix);
  const copyOf = (table: TableResource) => {
    const { documents, name } = data.table(table);
    return new Table(documents, name + suffix);
  };
  return { ...data, table: copyOf };
}

/** Data keys of an operator. A wrapped key names its KMS key itself, so only new ones need the ARN. */
function openDataKeys(kms: KMSClient, { name }: KeyResource, keyArn: string | undefined): DataKeyProvider {
  return {
    async generate(context) {
      if (keyArn === undefined) throw new AdminRefused(`the ARN of the key ${name} of the deployment is missing`);
      const input = { KeyId: keyArn, KeySpec: "AES_256", EncryptionContext: { ...context } } as const;
      const { Plaintext, CiphertextBlob } = await kms.send(new GenerateDataKeyCommand(input));
      if (!Plaintext || !CiphertextBlob) throw new Error("KMS returned no data key");
      return { plain: Plaintext, wrapped: CiphertextBlob };
    },
    async unwrap(wrapped, context) {
      const input = { CiphertextBlob: wrapped, EncryptionContext: { ...context } };
      const { Plaintext } = await kms.send(new DecryptCommand(input));
      if (!Plaintext) throw new Error("KMS returned no key");
      return Plaintext;
    },
  };
}
