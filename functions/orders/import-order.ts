import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { importDraft } from "../../lib/domain/orders/placement/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { writeNewOrder } from "../../lib/services/orders/plan-new-order.ts";
import { planOrderImport, planOrderImportAccess } from "../../lib/services/orders/plan-order-import.ts";

/** Imports an order that was placed elsewhere. Its sample must not belong to another order. */
export const contract = endpoint({
  operationId: "importOrder",
  method: "POST",
  path: "/v3/order/import",
  tag: "orders",
  summary: "Import an order",
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
