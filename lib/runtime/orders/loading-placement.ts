import { gunzipSync } from "node:zlib";
import type { OrderPlacement } from "../../domain/orders/order-placement.ts";
import type { Bucket } from "../bucket.ts";

/** What a laboratory is told with an order. @param key where it lies. */
export async function loadPlacement(placements: Pick<Bucket, "load">, key: string): Promise<OrderPlacement> {
  return JSON.parse(gunzipSync(await placements.load(key)).toString("utf8"));
}
