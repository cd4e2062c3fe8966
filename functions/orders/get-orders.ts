import * as z from "zod";
import { get, getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, pageQuery } from "../../lib/contract/parts.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { orderFilter, selectOrders } from "../../lib/domain/orders/order-list.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { shown } from "../../lib/runtime/changing-orders.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listedOrders } from "../../lib/runtime/listed-orders.ts";

/** Lists the orders of active users. */
export const contract = endpoint({
  operationId: "getOrders",
  method: "GET",
  path: "/v3/orders",
  aliases: ["/orders"],
  tag: "orders",
  summary: "List orders",
  auth: "team",
  params: nothing,
  query: orderFilter.extend(pageQuery),
  response: z
    .object({ orders: z.array(wireOrder), total: z.int(), page: z.int(), size: z.int() })
    .meta({ id: "OrderPage" }),
  access: [query(orders, "team_orders"), query(orders), getMany(orders), get(users), query(users, "team_users")],
});

export const handler = implement(contract, async ({ scope, query: { page, size, ...filter } }, uses) => {
  const found = selectOrders(await listedOrders(scope, filter, uses), filter);
  const ids = found.slice((page - 1) * size, page * size).map(({ order_id }) => order_id);
  const read = await uses.orders.getMany(scope, ids);
  const orders = await Promise.all(read.map((order) => shown(scope, order, uses)));
  return { orders, total: found.length, page, size };
});
