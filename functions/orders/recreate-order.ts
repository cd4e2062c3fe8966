import { grants, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { recreationDraft } from "../../lib/domain/orders/placement/order-draft.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { labPartnersFor } from "../../lib/labs/lab-partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { recreateOrder, recreateOrderAccess } from "../../lib/services/lab-work/recreate-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

export const contract = endpoint({
  operationId: "recreateOrder",
  method: "POST",
  path: "/v3/order/{order_id}/recreate",
  tag: "orders",
  summary: "Recreate an order at another laboratory",
  description: [
    "Places an order again that went to the wrong laboratory, for the same patient and collection method.",
    "The lab test comes from `order_set`, or stays the same without one; the lab account is resolved anew.",
    "One transaction cancels the former order with its at-home phlebotomy appointment, and writes the new one.",
    "The new order has the origin `recreation`, joins the order transaction, and goes to the laboratory at once.",
    "The service tells a laboratory that has the former order. One that ended without a result stays as it is.",
    "The events `labtest.order.updated` of the former order and `labtest.order.created` of the new one follow.",
    "The lab account must allow the billing type, and questions of the lab test need answers, as in a first order.",
    "The new order keeps the answers of the former one to the questions that its lab test asks.",
    "An imported order, a collected sample, a result or another collection method return `not_possible`.",
    "So does an order that has a successor: of several calls, one places the order again.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  body: recreationDraft,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: grants(recreateOrderAccess, sendMessage(labWork)),
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, deps) => {
  const findPartner = labPartnersFor(deployment().environment);
  const { order, work } = await recreateOrder({ scope, team }, params.order_id, body, { ...deps, findPartner });
  await scheduleOrderTasks(deps.labWork, work, log);
  return toPlacedOrder(order, "The order is placed again.");
});
