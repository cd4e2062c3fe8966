import { setTimeout as sleep } from "node:timers/promises";
import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from "@aws-sdk/client-dynamodb";
import { AdminRefused } from "../admin-refused.ts";

const POLL_MS = 10_000;

/** A table to restore. */
interface TableToRestore {
  readonly name: string;
  /** Epoch ms; the latest possible instant by default. */
  readonly at?: number | undefined;
}

/**
 * Restores tables beside the originals by point-in-time recovery, all at once, and waits for them. Copies of an
 * interrupted run are used again.
 * @param suffix follows the name of each table.
 * @throws AdminRefused if a copy does not become active.
 */
export async function restoreTablesAt(
  client: DynamoDBClient,
  wanted: readonly TableToRestore[],
  suffix: string,
  pollMs = POLL_MS,
): Promise<void> {
  for (const { name, at } of wanted) {
    const TargetTableName = name + suffix;
    if ((await statusOf(client, TargetTableName)) !== undefined) continue;
    const until = at === undefined ? { UseLatestRestorableTime: true } : { RestoreDateTime: new Date(at) };
    await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName: name, TargetTableName, ...until }));
  }
  for (const { name } of wanted) {
    for (;;) {
      const status = await statusOf(client, name + suffix);
      if (status === "ACTIVE") break;
      if (status !== "CREATING" && status !== "UPDATING")
        throw new AdminRefused(`the copy of ${name} is ${status ?? "missing"}`);
      await sleep(pollMs);
    }
  }
}

async function statusOf(client: DynamoDBClient, TableName: string): Promise<string | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
