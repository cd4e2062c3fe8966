import { listingOf, type OrderFilter, type OrderListing } from "../domain/orders/order-list.ts";
import type { OrderStore } from "../store/orders.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UserStore } from "../store/users.ts";

interface ListUses {
  readonly orders: OrderStore;
  readonly users: UserStore;
}

/**
 * Reads the list entries of the orders that a filter may select, by the narrowest key of the filter: order ids,
 * transaction, user, or else all orders of the team between two instants. Leaves out orders of deleted users.
 */
export async function listedOrders(scope: TeamScope, filter: OrderFilter, uses: ListUses): Promise<OrderListing[]> {
  const { user_id: userId } = filter;
  if (userId && !(await uses.users.get(scope, userId))) return [];
  const listed = await candidates(scope, filter, uses);
  if (userId || listed.length === 0) return listed;
  const active = new Set(await uses.users.listIds(scope));
  return listed.filter(({ user_id }) => active.has(user_id));
}

async function candidates(scope: TeamScope, filter: OrderFilter, { orders }: ListUses): Promise<OrderListing[]> {
  const { order_ids, user_id, order_transaction_id, start_date: from, end_date: to } = filter;
  const byIds = async (ids: readonly string[]) => (await orders.getMany(scope, [...new Set(ids)])).map(listingOf);
  if (order_ids?.length) return byIds(order_ids);
  if (order_transaction_id) return byIds(await orders.idsIn(scope, order_transaction_id));
  if (user_id) return byIds(await orders.idsOf(scope, user_id));
  return orders.list(scope, { from, to });
}
