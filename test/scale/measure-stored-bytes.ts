import { DynamoDBClient, ListTablesCommand, paginateScan } from "@aws-sdk/client-dynamodb";
import { STORED_DAYS } from "../../lib/cli/scale/stated-load.ts";
import { itemSize } from "../../lib/local/aws-proxy/item-size.ts";
import type { TestService } from "../support/service.ts";

/** Bytes of a table: of items that stay, and bytes times the days until they expire, up to a year. */
export interface StoredBytes {
  permanent: number;
  byteDays: number;
}

const DAY_S = 86_400;
/** DynamoDB adds this to each item (developer guide, "Estimating storage"). */
const ITEM_OVERHEAD = 100;

/** Measures the items of all tables, by physical name of the table. */
export async function measureStoredBytes(service: TestService): Promise<Map<string, StoredBytes>> {
  const { dynamodb, assembly, clock } = service.cloud;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: dynamodb.origin, region: assembly.region, credentials });
  const sizes = new Map<string, StoredBytes>();
  const nowS = clock.now() / 1_000;
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const TableName of TableNames) {
    const size: StoredBytes = { permanent: 0, byteDays: 0 };
    for await (const { Items = [] } of paginateScan({ client }, { TableName }))
      for (const item of Items) {
        const bytes = itemSize(item as Readonly<Record<string, unknown>>) + ITEM_OVERHEAD;
        const days = (Number(item.expires_at?.N) - nowS) / DAY_S;
        if (days < STORED_DAYS) size.byteDays += bytes * days;
        else size.permanent += bytes;
      }
    sizes.set(TableName, size);
  }
  client.destroy();
  return sizes;
}
