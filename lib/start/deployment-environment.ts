import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ListBucketsCommand, S3Client } from "@aws-sdk/client-s3";
import { resourceVariable } from "../contract/access.ts";
import { buckets, tables } from "../contract/resources.ts";
import { findUniqueName, listTableNames } from "./deployed-table.ts";

/**
 * Sets the environment variables that stores read to the tables and buckets of a deployed service.
 * @param stack name of the deployment, as in cdk.json.
 * @throws AdminRefused when a table or bucket is missing or ambiguous.
 */
export async function setDeploymentEnvironment(stack: string): Promise<void> {
  const tableNames = await nameTables(new DynamoDBClient({}), stack);
  for (const table of tables) {
    const place = { kind: "entity", store: "", table, keyPrefix: "" } as const;
    process.env[resourceVariable(place)] = tableNames.get(table.name);
  }
  const bucketNames = await nameBuckets(new S3Client({}), stack);
  for (const bucket of buckets) process.env[resourceVariable(bucket)] = bucketNames.get(bucket.name);
}

/** Finds the tables of a deployment by name, without the copies that a restore makes beside them. @throws AdminRefused */
export async function nameTables(client: DynamoDBClient, stack: string): Promise<ReadonlyMap<string, string>> {
  const names = (await listTableNames(client)).filter((name) => !name.includes("-restored-"));
  return new Map(tables.map(({ name }) => [name, findUniqueName(`${stack}-Data-Table${name}`, names)]));
}

/** Finds the buckets of a deployment by name. @throws AdminRefused */
export async function nameBuckets(s3: S3Client, stack: string): Promise<ReadonlyMap<string, string>> {
  // ListBuckets would include the buckets of a deployment with the same name in another region.
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({ BucketRegion: await s3.config.region() }));
  const owned = Buckets.flatMap(({ Name }) => Name ?? []);
  return new Map(buckets.map(({ name }) => [name, findUniqueName(`${stack}-data-${name}`.toLowerCase(), owned)]));
}
