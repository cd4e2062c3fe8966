import { check, get, keep, put, query, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import {
  labAccounts,
  labTests,
  orderPlacements,
  orders,
  orderWork,
  outbox,
  users,
} from "../../lib/contract/resources.ts";
import { registrableKitDraft } from "../../lib/domain/orders/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { partnersOf } from "../../lib/labs/partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { planRegistrableKit } from "../../lib/runtime/kits.ts";
import { writeNewOrder } from "../../lib/runtime/new-order-items.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/** Orders a test kit that ships before its patient is known. */
export const contract = endpoint({
  operationId: "createTestkitOrder",
  method: "POST",
  path: "/v3/order/testkit",
  tag: "orders",
  summary: "Create an order for a registrable test kit",
  auth: "team",
  params: nothing,
  query: nothing,
  body: registrableKitDraft,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible],
  access: [
    get(users),
    check(users),
    get(labTests),
    query(labAccounts),
    put(orders),
    put(orderWork),
    put(outbox),
    keep(orderPlacements),
    send(labWork),
  ],
});

export const handler = implement(contract, async ({ scope, team, body, log }, uses) => {
  const findPartner = partnersOf(deployment().environment);
  const planned = await planRegistrableKit({ scope, team }, body, { ...uses, findPartner });
  await writeNewOrder(planned, uses.commit);
  await startWork(uses.labWork, planned.work, log);
  return toPlacedOrder(planned.order, "The kit is ordered.");
});
