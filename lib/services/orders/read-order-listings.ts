import { type OrderFilter, type OrderListing, toOrderListing } from "../../domain/orders/order-list.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { TeamScope } from "../../store/team-scope.ts";

type ReadOrderListingsDependencies = Dependencies<"orders" | "users">;

/**
 * Reads the list entries of the orders that a filter may select, by the narrowest key of the filter: order ids,
 * transaction, user, or else all orders of the team between two instants. Leaves out orders of deleted users.
 */
export async function readOrderListings(
  scope: TeamScope,
  filter: OrderFilter,
  deps: ReadOrderListingsDependencies,
): Promise<OrderListing[]> {
  const { user_id: userId } = filter;
  if (userId && !(await deps.users.get(scope, userId))) return [];
  const listed = await readUnfiltered(scope, filter, deps);
  if (userId || listed.length === 0) return listed;
  const active = new Set(await deps.users.listIds(scope));
  return listed.filter(({ user_id }) => active.has(user_id));
}

async function readUnfiltered(
  scope: TeamScope,
  filter: OrderFilter,
  { orders }: ReadOrderListingsDependencies,
): Promise<OrderListing[]> {
  const { order_ids, user_id, order_transaction_id, start_date: from, end_date: to } = filter;
  const byIds = async (ids: readonly string[]) => (await orders.getMany(scope, [...new Set(ids)])).map(toOrderListing);
  if (order_ids?.length) return byIds(order_ids);
  if (order_transaction_id) return byIds(await orders.listIdsByTransaction(scope, order_transaction_id));
  if (user_id) return byIds(await orders.listIdsByUser(scope, user_id));
  return orders.list(scope, { from, to });
}
