import { check, get, keep, put, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import {
  labAccounts,
  labTests,
  orderPlacements,
  orders,
  outbox,
  physicians,
  users,
} from "../../lib/contract/resources.ts";
import { importDraft } from "../../lib/domain/orders/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { writeNewOrder } from "../../lib/runtime/new-order-items.ts";
import { planImport } from "../../lib/runtime/placing-imports.ts";

/** Imports an order that was placed elsewhere. Its sample must not belong to another order. */
export const contract = endpoint({
  operationId: "importOrder",
  method: "POST",
  path: "/v3/order/import",
  tag: "orders",
  summary: "Import an order",
  auth: "team",
  params: nothing,
  query: nothing,
  body: importDraft,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible],
  access: [
    get(users),
    check(users),
    get(labTests),
    put(labTests),
    query(labAccounts),
    put(orders),
    put(outbox),
    put(physicians),
    keep(orderPlacements),
  ],
  maxBodyBytes: 5_000_000,
});

export const handler = implement(contract, async ({ scope, team, body }, uses) => {
  const planned = await planImport({ scope, team }, body, uses);
  await writeNewOrder(planned, uses.commit);
  return toPlacedOrder(planned.order, "The order is imported.");
});
