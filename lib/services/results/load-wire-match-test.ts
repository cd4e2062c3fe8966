import { type MatchTest, toWireMatchTest } from "../../domain/results/match-test.ts";
import { entriesByName } from "../../domain/shared/entries-by-name.ts";
import type { OrderStore } from "../../store/orders/orders.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

interface OrderReads {
  readonly orders: Pick<OrderStore, "get">;
  readonly users: Pick<UserStore, "get">;
}

/** Loads the wire form of a match test, with its existing orders. */
export async function loadWireMatchTest(scope: TeamScope, test: MatchTest, { orders, users }: OrderReads) {
  const found = await Promise.all(
    entriesByName(test.order_ids).map(async ([role, id]) => {
      const record = await orders.get(scope, id);
      const user = record && (await users.get(scope, record.order.user_id));
      if (!record || !user) return [];
      const { user_id, order_transaction } = record.order;
      return [[role, { order_id: id, user_id, order_transaction_id: order_transaction?.id ?? id }] as const];
    }),
  );
  return toWireMatchTest(test, Object.fromEntries(found.flat()));
}
