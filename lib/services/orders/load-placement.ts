import { gunzipSync } from "node:zlib";
import type { OrderPlacement } from "../../domain/orders/placement/order-placement.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";

/** Loads the placement of an order, the data for its laboratory. @param key object key. */
export async function loadPlacement(placements: Pick<Bucket, "get">, key: string): Promise<OrderPlacement> {
  return JSON.parse(gunzipSync(await placements.get(key)).toString("utf8"));
}
