import { check, get, keep, put, query, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import {
  insurances,
  labAccounts,
  labTests,
  orderPlacements,
  orders,
  orderWork,
  outbox,
  physicians,
  requests,
  userInfos,
  users,
} from "../../lib/contract/resources.ts";
import { orderDraft } from "../../lib/domain/orders/order-draft.ts";
import { PLACING_KEPT_MS, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { partnersOf } from "../../lib/labs/partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Conflict, NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { once } from "../../lib/runtime/idempotency.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { writeNewOrder } from "../../lib/runtime/new-order-items.ts";
import { planOrder } from "../../lib/runtime/placing-orders.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/** Places an order. A repeated request with the same idempotency key places no second order. */
export const contract = endpoint({
  operationId: "createOrder",
  method: "POST",
  path: "/v3/order",
  aliases: ["/v3/order/create"],
  tag: "orders",
  summary: "Create an order",
  auth: "team",
  params: nothing,
  query: nothing,
  body: orderDraft,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible, Conflict],
  access: [
    get(users),
    check(users),
    get(userInfos),
    query(insurances),
    get(labTests),
    put(labTests),
    query(labAccounts),
    put(orders),
    put(orderWork),
    put(outbox),
    put(physicians),
    get(requests),
    put(requests),
    keep(orderPlacements),
    send(labWork),
  ],
  // The body contains images of insurance cards.
  maxBodyBytes: 5_000_000,
});

export const handler = implement(contract, async ({ scope, team, body, event, log }, uses) => {
  const keyed = { contract, scope, headers: event.headers, body, keptMs: PLACING_KEPT_MS };
  const findPartner = partnersOf(deployment().environment);
  return once(keyed, uses.requests, async () => {
    const planned = await planOrder({ scope, team }, body, { ...uses, findPartner });
    return {
      userId: body.user_id,
      answer: toPlacedOrder(planned.order, "The order is placed."),
      write: async (more) => {
        await writeNewOrder(planned, uses.commit, more);
        await startWork(uses.labWork, planned.work, log);
      },
    };
  });
});
