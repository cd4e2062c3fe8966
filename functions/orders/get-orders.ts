import * as z from "zod";
import { batchGetItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { noFields, pageQuery } from "../../lib/contract/shared-schemas.ts";
import { orderFilter, selectOrders } from "../../lib/domain/orders/order-list.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadOrderWithTransaction } from "../../lib/services/orders/change-order.ts";
import { readOrderListings } from "../../lib/services/orders/read-order-listings.ts";

export const contract = endpoint({
  operationId: "getOrders",
  method: "GET",
  path: "/v3/orders",
  aliases: ["/orders"],
  tag: "orders",
  summary: "List orders",
  description: [
    "Lists the orders that match all given filters, in numbered pages of 50 by default and at most 100.",
    "The newest order comes first by default; orders with an equal sort key are ordered by id.",
    "`total` counts all matches. Orders of deleted users are left out.",
    "A page after the last one is empty, and so is the list of an unknown `user_id`.",
    "Pages are not a snapshot: a new order shifts later pages. Bound the list with `start_date` and `end_date`.",
  ],
  auth: "team",
  params: noFields,
  query: orderFilter.extend(pageQuery),
  userParameters: { search_input: "user_id" },
  response: z
    .object({ orders: z.array(wireOrder), total: z.int(), page: z.int(), size: z.int() })
    .meta({ id: "OrderPage" }),
  agentTool: {
    name: "list_orders",
    description: ["Lists lab test orders with their status, newest first.", "`user_id` selects those of one user."],
    reach: "user",
    shortening: { kind: "list", of: "orders" },
    rest: "Call again with a smaller `size` and each `page` in turn, or with a shorter range of dates.",
  },
  access: [
    queryItems(orders, "team_orders"),
    queryItems(orders),
    batchGetItem(orders),
    getItem(users),
    queryItems(users, "team_users"),
  ],
});

export const handler = implement(contract, async ({ scope, query: { page, size, ...filter } }, deps) => {
  const found = selectOrders(await readOrderListings(scope, filter, deps), filter);
  const ids = found.slice((page - 1) * size, page * size).map(({ order_id }) => order_id);
  const read = await deps.orders.getMany(scope, ids);
  const orders = await Promise.all(read.map((order) => loadOrderWithTransaction(scope, order, deps)));
  return { orders, total: found.length, page, size };
});
