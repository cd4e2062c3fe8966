import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { kitRegistration } from "../../lib/domain/orders/placement/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { registerKitAccess, registerKitBySample } from "../../lib/services/orders/kits.ts";

/** Assigns a registrable test kit to its patient. */
export const contract = endpoint({
  operationId: "registerTestkit",
  method: "POST",
  path: "/v3/order/testkit/register",
  tag: "orders",
  summary: "Register a test kit",
  auth: "team",
  params: noFields,
  query: noFields,
  body: kitRegistration,
  response: wirePlacedOrder,
  errors: [UserNotFound, NotFound, NotPossible],
  access: registerKitAccess,
  maxBodyBytes: 5_000_000,
});

export const handler = implement(contract, async ({ scope, team, body }, deps) =>
  toPlacedOrder(await registerKitBySample({ scope, team }, body, deps), "The kit is registered."),
);
