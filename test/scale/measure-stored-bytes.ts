import { STORED_DAYS } from "../../lib/cli/scale/stated-load.ts";
import { itemSize } from "../../lib/local/aws-proxy/item-size.ts";
import { scanAllItems } from "../local/service/support/stored-items.ts";
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
  const sizes = new Map<string, StoredBytes>();
  const nowS = service.cloud.clock.now() / 1_000;
  for await (const { table, item } of scanAllItems(service)) {
    const size = sizes.get(table) ?? { permanent: 0, byteDays: 0 };
    sizes.set(table, size);
    const bytes = itemSize(item) + ITEM_OVERHEAD;
    const days = (Number(item.expires_at?.N) - nowS) / DAY_S;
    if (days < STORED_DAYS) size.byteDays += bytes * days;
    else size.permanent += bytes;
  }
  return sizes;
}
