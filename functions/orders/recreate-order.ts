import { get, getMany, keep, load, put, query, remove, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import {
  appointments,
  labAccounts,
  labTests,
  orderPlacements,
  orders,
  orderWork,
  outbox,
  slots,
  users,
} from "../../lib/contract/resources.ts";
import { recreationDraft } from "../../lib/domain/orders/order-draft.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { partnersOf } from "../../lib/labs/partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { recreateOrder } from "../../lib/runtime/recreating.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/**
 * Places an order again that went to the wrong laboratory, under a newly resolved lab account. Cancels the former order
 * unless it has ended.
 */
export const contract = endpoint({
  operationId: "recreateOrder",
  method: "POST",
  path: "/v3/order/{order_id}/recreate",
  tag: "orders",
  summary: "Recreate an order at another laboratory",
  auth: "team",
  params: orderParams,
  query: nothing,
  body: recreationDraft,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: [
    get(orders),
    put(orders),
    query(orders),
    getMany(orders),
    get(users),
    get(labTests),
    put(labTests),
    query(labAccounts),
    get(orderWork),
    put(orderWork),
    remove(orderWork),
    get(appointments),
    put(appointments),
    remove(slots),
    put(outbox),
    load(orderPlacements),
    keep(orderPlacements),
    send(labWork),
  ],
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, uses) => {
  const findPartner = partnersOf(deployment().environment);
  const { order, work } = await recreateOrder({ scope, team }, params.order_id, body, { ...uses, findPartner });
  await startWork(uses.labWork, work, log);
  return toPlacedOrder(order, "The order is placed again.");
});
