import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { KeyResource, TableResource } from "../../../lib/contract/resource-kinds.ts";
import { dataKey, erasureTable } from "../../../lib/contract/resources.ts";
import { type DynamodbEngine, startDynamodb } from "../../../lib/local/engines/dynamodb.ts";
import { createKmsEngine } from "../../../lib/local/engines/kms.ts";
import { type S3Engine, startS3 } from "../../../lib/local/engines/s3.ts";
import type { ResolvedAssembly } from "../../../lib/local/template/read-assembly.ts";
import type { DeploymentData } from "../../../lib/start/restore/deployment-data.ts";
import { Table } from "../../../lib/store/table.ts";
import type { TestService } from "../../support/service.ts";

/** Copies the tables and objects of a running service, as point-in-time recovery and object versions keep them. */
export function keepCopy(service: TestService, directory: string): void {
  const tables = new DatabaseSync(service.data.file("dynamodb.sqlite"));
  tables.exec(`VACUUM INTO '${join(directory, "dynamodb.sqlite")}'`);
  tables.close();
  cpSync(service.data.file("s3"), join(directory, "s3"), { recursive: true });
}

/** Engines that serve a copy. */
export interface ServedCopy {
  readonly data: DeploymentData;
  readonly stop: () => Promise<void>;
}

/**
 * Serves a copy by engines of its own. @param latest a later copy, from which the list of erasures comes.
 * @param keyFile the KMS keys of the lost deployment, which outlive its tables.
 */
export async function serveCopy(
  assembly: ResolvedAssembly,
  { directory, latest, keyFile }: { directory: string; latest: string; keyFile: string },
): Promise<ServedCopy> {
  const [tables, erasures] = await Promise.all(
    [directory, latest].map((place) => startDynamodb(join(place, "dynamodb.sqlite"))),
  );
  const s3 = await startS3({ directory: join(directory, "s3"), buckets: [] });
  if (!tables || !erasures) throw new Error("an engine is missing");
  const origin = (table: TableResource) => (table === erasureTable ? erasures : tables).origin;
  return {
    data: describeData(assembly, { origin, s3, keyFile }),
    stop: async () => void (await Promise.all([tables.stop(), erasures.stop(), s3.stop()])),
  };
}

/** The data of a running service, by its engines: an operator's credentials have no policy of a function. */
export const describeService = ({ cloud, data }: TestService): DeploymentData =>
  describeData(cloud.assembly, {
    origin: () => (cloud.dynamodb satisfies DynamodbEngine).origin,
    s3: cloud.s3,
    keyFile: data.file("kms.key"),
  });

interface Engines {
  readonly origin: (table: TableResource) => string;
  readonly s3: S3Engine;
  readonly keyFile: string;
}

function describeData(assembly: ResolvedAssembly, { origin, s3, keyFile }: Engines): DeploymentData {
  const { region } = assembly;
  const find = (type: string, part: string) => {
    const found = assembly.resources.find((one) => one.type === type && one.logicalId.startsWith(part));
    if (!found) throw new Error(`no ${type} ${part}`);
    return found;
  };
  const documents = (endpoint: string) =>
    DynamoDBDocumentClient.from(
      new DynamoDBClient({ endpoint, region, credentials: { accessKeyId: "local", secretAccessKey: "local" } }),
    );
  return {
    table: (table) => new Table(documents(origin(table)), find("AWS::DynamoDB::Table", `Table${table.name}`).name),
    s3: new S3Client({
      endpoint: s3.origin,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: "local" },
    }),
    bucketName: ({ name }) => find("AWS::S3::Bucket", name.charAt(0).toUpperCase() + name.slice(1)).name,
    dataKeys: (key) => localDataKeys(keyFile, find("AWS::KMS::Key", constructIdOf(key)).arn ?? ""),
  };
}

const constructIdOf = (key: KeyResource) =>
  key === dataKey ? "DataKey" : `${key.name.charAt(0).toUpperCase()}${key.name.slice(1)}Key`;

function localDataKeys(keyFile: string, KeyId: string): ReturnType<DeploymentData["dataKeys"]> {
  const kms = createKmsEngine(keyFile);
  const call = async (operation: string, body: object) =>
    (await kms(operation, { KeyId, ...body })) as { Plaintext: string; CiphertextBlob?: string };
  const bytes = (text = "") => Buffer.from(text, "base64");
  return {
    generate: async (context) => {
      const made = await call("GenerateDataKey", { KeySpec: "AES_256", EncryptionContext: { ...context } });
      return { plain: bytes(made.Plaintext), wrapped: bytes(made.CiphertextBlob) };
    },
    unwrap: async (wrapped, context) => {
      const CiphertextBlob = Buffer.from(wrapped).toString("base64");
      return bytes((await call("Decrypt", { CiphertextBlob, EncryptionContext: { ...context } })).Plaintext);
    },
  };
}
