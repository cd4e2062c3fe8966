import { grants, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { registrableKitDraft } from "../../lib/domain/orders/placement/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { labPartnersFor } from "../../lib/labs/lab-partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { planRegistrableKit, planRegistrableKitAccess } from "../../lib/services/orders/kits.ts";
import { writeNewOrder } from "../../lib/services/orders/plan-new-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

export const contract = endpoint({
  operationId: "createTestkitOrder",
  method: "POST",
  path: "/v3/order/testkit",
  tag: "orders",
  summary: "Create an order for a registrable test kit",
  description: [
    "Orders a test kit that ships before its patient is known, for a lab test with the collection method `testkit`.",
    "The order belongs to `user_id`, but has no patient until you call `POST /v3/order/testkit/register`.",
    "The event `labtest.order.created` follows, and the service submits the order to the laboratory asynchronously.",
    "It then waits in `awaiting_registration` or in transit until the kit is registered.",
    "This operation ignores `X-Idempotency-Key`: each call orders another kit.",
    "A deployment without a connection to the laboratory, such as production today, returns `not_possible`.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: registrableKitDraft,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible],
  access: grants(planRegistrableKitAccess, sendMessage(labWork)),
});

export const handler = implement(contract, async ({ scope, team, body, log }, deps) => {
  const findPartner = labPartnersFor(deployment().environment);
  const planned = await planRegistrableKit({ scope, team }, body, { ...deps, findPartner });
  await writeNewOrder(planned, deps.commit);
  await scheduleOrderTasks(deps.labWork, planned.tasks, log);
  return toPlacedOrder(planned.order, "The kit is ordered.");
});
