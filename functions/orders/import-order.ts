import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { importDraft } from "../../lib/domain/orders/placement/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { writeNewOrder } from "../../lib/services/orders/plan-new-order.ts";
import { planOrderImport, planOrderImportAccess } from "../../lib/services/orders/plan-order-import.ts";

export const contract = endpoint({
  operationId: "importOrder",
  method: "POST",
  path: "/v3/order/import",
  tag: "orders",
  summary: "Import an order",
  description: [
    "Imports an order that you placed at the laboratory yourself, with its sample number, to receive its result here.",
    "The service sends nothing to the laboratory, and the order has no requisition.",
    "The order starts in `requisition_bypassed`, and `labtest.order.created` follows.",
    "A sample number that another order of the team has returns 422, so a repeated import does not double the order.",
    "State, zip code and phone number of the address are accepted as written elsewhere.",
    "The date of birth is checked as for a placed order: a patient under 18 needs minor ordering and a `medical_proxy`.",
    "Missing background, proxy and access notes come from the user's info.",
    "The lab account may be active or pending. The production environment accepts imports.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: importDraft,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible],
  access: planOrderImportAccess,
  maxBodyBytes: 5_000_000,
});

export const handler = implement(contract, async ({ scope, team, body }, deps) => {
  const planned = await planOrderImport({ scope, team }, body, deps);
  await writeNewOrder(planned, deps.commit);
  return toPlacedOrder(planned.order, "The order is imported.");
});
