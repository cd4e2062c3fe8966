import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { TestService } from "../../../support/service.ts";
import type { RawItem } from "../support/search-stored-data.ts";
import { createEngineClient } from "../support/stored-items.ts";

/** Writes items back into their tables. */
export async function restoreItems(service: TestService, items: readonly RawItem[]): Promise<void> {
  const client = createEngineClient(service);
  for (let first = 0; first < items.length; first += 25) {
    const byTable = Map.groupBy(items.slice(first, first + 25), ({ table }) => table);
    const puts = [...byTable].map(([table, some]) => [table, some.map(({ item }) => ({ PutRequest: { Item: item } }))]);
    await client.send(new BatchWriteCommand({ RequestItems: Object.fromEntries(puts) }));
  }
  client.destroy();
}

/** Runs the command as an operator does. @param options of the command. */
export async function reapplyErasures(
  service: TestService,
  ...options: readonly string[]
): Promise<{ users: number; erased: number; items: number }> {
  const { dynamodb, s3, assembly } = service.cloud;
  const keys = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: "local", AWS_REGION: assembly.region };
  const { PATH } = process.env;
  const env = { PATH, ...keys, AWS_ENDPOINT_URL_DYNAMODB: dynamodb.origin, AWS_ENDPOINT_URL_S3: s3.origin };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["bin/tributary.ts", "admin", "reapply-erasures", ...options],
    { env },
  );
  return JSON.parse(stdout);
}
