import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { orders } from "../contract/resources.ts";
import { listingOf } from "../domain/orders/order-list.ts";
import type { Order } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import type { Key } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const prefix = ({ teamId }: TeamScope) => `${orders.keyPrefix}${teamId}`;

export const orderKey = (scope: TeamScope, orderId: string): Key => ({
  pk: `${prefix(scope)}#${orderId}`,
  sk: "order",
});
/** Where the ids of a user's orders are: exact where an index may be behind. */
export const ordersOf = (scope: TeamScope, userId: string): string => `${prefix(scope)}#of#${userId}`;
/** Who has the number of a sample, which no two orders of a team share. */
export const sampleKey = (scope: TeamScope, sampleId: string): Key => ({
  pk: `${prefix(scope)}#sample#${sampleId}`,
  sk: "sample",
});
/** Which order has the number of a requisition; see requisitionNumber. */
export const requisitionKey = (scope: TeamScope, requisition: string): Key => ({
  pk: `${prefix(scope)}#requisition#${requisition}`,
  sk: "requisition",
});
/** Where the ids of a transaction's orders are. */
export const membersOf = (scope: TeamScope, transactionId: string): string =>
  `${prefix(scope)}#transaction#${transactionId}`;
/** The partition of the index by team. */
export const teamOrders = prefix;

const packed = z.instanceof(Uint8Array);

/** An order as stored: compressed, because lab test and patient are in it, beside what lists look at. */
export const orderItem = z
  .object({
    content: packed,
    revision: z.int(),
    placement_key: z.string().nullable(),
    requisition: z.string().nullable(),
  })
  .transform(({ content, ...rest }): OrderRecord => ({ ...rest, order: unpack(content) }));

/** As much of an order as its erasure needs. */
export const erasableOrder = z.object({ sample_id: z.string().nullable(), transaction_id: z.string().nullable() });

/** The attributes of an order as stored. */
export function attributesOf(scope: TeamScope, { order, ...rest }: OrderRecord) {
  return { ...listingOf(order), ...rest, team_orders: teamOrders(scope), content: gzipSync(JSON.stringify(order)) };
}

// What is read here was written above, so it is not parsed by the schema of answers again.
const unpack = (content: Uint8Array): Order => JSON.parse(gunzipSync(content).toString("utf8"));
