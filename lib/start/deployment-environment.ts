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
  const names = await listTableNames(new DynamoDBClient({}));
  for (const table of tables) {
    const place = { kind: "entity", store: "", table, keyPrefix: "" } as const;
    process.env[resourceVariable(place)] = findUniqueName(`${stack}-Data-Table${table.name}`, names);
  }
  const s3 = new S3Client({});
  // ListBuckets would include the buckets of a deployment with the same name in another region.
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({ BucketRegion: await s3.config.region() }));
  const owned = Buckets.flatMap(({ Name }) => Name ?? []);
  for (const bucket of buckets) {
    process.env[resourceVariable(bucket)] = findUniqueName(`${stack}-data-${bucket.name}`.toLowerCase(), owned);
  }
}
