import { gunzipSync } from "node:zlib";
import type { OrderPlacement } from "../../domain/orders/order-placement.ts";
import type { Bucket } from "../bucket.ts";

/** Loads the placement of an order, the data for its laboratory. @param key object key. */
export async function loadPlacement(placements: Pick<Bucket, "load">, key: string): Promise<OrderPlacement> {
  return JSON.parse(gunzipSync(await placements.load(key)).toString("utf8"));
}
