import { getItem, grants, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { requests } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { orderDraft } from "../../lib/domain/orders/placement/order-draft.ts";
import {
  ORDER_IDEMPOTENCY_KEY_TTL_MS,
  toPlacedOrder,
  wirePlacedOrder,
} from "../../lib/domain/orders/wire-placed-order.ts";
import { labPartnersFor } from "../../lib/labs/lab-partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Conflict, NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { runOncePerKey } from "../../lib/runtime/http/idempotency.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { writeNewOrder } from "../../lib/services/orders/plan-new-order.ts";
import { planOrder, planOrderAccess } from "../../lib/services/orders/plan-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

export const contract = endpoint({
  operationId: "createOrder",
  method: "POST",
  path: "/v3/order",
  aliases: ["/v3/order/create"],
  tag: "orders",
  summary: "Create an order",
  description: [
    "Places an order for one user, with either `lab_test_id` or `order_set`.",
    "For a kit without a patient use `POST /v3/order/testkit`, for an order placed elsewhere `POST /v3/order/import`.",
    "The order starts in the low-level status `ordered`, and `labtest.order.created` follows.",
    "The service submits it to the laboratory asynchronously, at once or from midnight UTC of `activate_by`.",
    "",
    "With `X-Idempotency-Key` (1 to 255 characters), repeats within 24 hours get the first response, errors included.",
    "An invalid request leaves its key free, and so does an error if `X-Idempotency-Error` is `no-cache`.",
    "The same key with another body returns `conflict`.",
    "",
    "In a deployment without a connection to the laboratory, such as production, the response is `not_possible`.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: orderDraft,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible, Conflict],
  access: grants(planOrderAccess, getItem(requests), putItem(requests), sendMessage(labWork)),
  // The body contains images of insurance cards.
  maxBodyBytes: 5_000_000,
});

export const handler = implement(contract, async ({ scope, team, body, event, log }, deps) => {
  const idempotentRequest = {
    contract,
    scope,
    headers: event.headers,
    body,
    retentionMs: ORDER_IDEMPOTENCY_KEY_TTL_MS,
  };
  const findPartner = labPartnersFor(deployment().environment);
  return runOncePerKey(idempotentRequest, deps.requests, async () => {
    const planned = await planOrder({ scope, team }, body, { ...deps, findPartner });
    return {
      userId: body.user_id,
      answer: toPlacedOrder(planned.order, "The order is placed."),
      write: async (more) => {
        await writeNewOrder(planned, deps.commit, more);
        await scheduleOrderTasks(deps.labWork, planned.tasks, log);
      },
    };
  });
});
