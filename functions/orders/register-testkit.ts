import { check, get, keep, put, query, remove } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labAccounts, orderPlacements, orders, outbox, physicians, users } from "../../lib/contract/resources.ts";
import { kitRegistration } from "../../lib/domain/orders/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { registerKitOf } from "../../lib/runtime/kits.ts";

/** Assigns a registrable test kit to its patient. */
export const contract = endpoint({
  operationId: "registerTestkit",
  method: "POST",
  path: "/v3/order/testkit/register",
  tag: "orders",
  summary: "Register a test kit",
  auth: "team",
  params: nothing,
  query: nothing,
  body: kitRegistration,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible],
  access: [
    get(orders),
    put(orders),
    remove(orders),
    get(users),
    check(users),
    query(labAccounts),
    put(outbox),
    put(physicians),
    keep(orderPlacements),
  ],
  maxBodyBytes: 5_000_000,
});

export const handler = implement(contract, async ({ scope, team, body }, uses) =>
  toPlacedOrder(await registerKitOf({ scope, team }, body, uses), "The kit is registered."),
);
