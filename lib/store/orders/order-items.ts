import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { orders } from "../../contract/resources.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { toOrderListing } from "../../domain/orders/order-list.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { Key } from "../item.ts";
import type { TeamScope } from "../team-scope.ts";

const prefix = ({ teamId }: TeamScope) => `${orders.keyPrefix}${teamId}`;

export const orderKey = (scope: TeamScope, orderId: string): Key => ({
  pk: `${prefix(scope)}#${orderId}`,
  sk: "order",
});
/** Returns the partition with the ids of a user's orders. It is exact, where an index may lag. */
export const userOrdersPartition = (scope: TeamScope, userId: string): string => `${prefix(scope)}#of#${userId}`;
/** Returns the key of a sample number. No two orders of a team share one. */
export const sampleKey = (scope: TeamScope, sampleId: string): Key => ({
  pk: `${prefix(scope)}#sample#${sampleId}`,
  sk: "sample",
});
/** Returns the key of a requisition number. See requisitionNumber. */
export const requisitionKey = (scope: TeamScope, requisition: string): Key => ({
  pk: `${prefix(scope)}#requisition#${requisition}`,
  sk: "requisition",
});
/** Returns the partition with the ids of a transaction's orders. */
export const transactionOrdersPartition = (scope: TeamScope, transactionId: string): string =>
  `${prefix(scope)}#transaction#${transactionId}`;
/** Returns the index partition of a team. */
export const teamOrdersPartition = prefix;

const packed = z.instanceof(Uint8Array);

/**
 * A stored order: compressed, because it contains the lab test and the patient, with the attributes that lists read.
 */
export const orderItem = z
  .object({
    content: packed,
    revision: z.int(),
    placement_key: z.string().nullable(),
    requisition: z.string().nullable(),
  })
  .transform(({ content, ...rest }): OrderRecord => ({ ...rest, order: unpack(content) }));

/** The fields of an order that its erasure needs. */
export const erasableOrder = z.object({ sample_id: z.string().nullable(), transaction_id: z.string().nullable() });

/** Returns the attributes of a stored order. */
export function toOrderAttributes(scope: TeamScope, { order, ...rest }: OrderRecord) {
  return {
    ...toOrderListing(order),
    ...rest,
    team_orders: teamOrdersPartition(scope),
    content: gzipSync(JSON.stringify(order)),
  };
}

// This module wrote the content, so it is not validated again.
const unpack = (content: Uint8Array): Order => JSON.parse(gunzipSync(content).toString("utf8"));
