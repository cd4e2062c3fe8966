import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { kitRegistration } from "../../lib/domain/orders/placement/order-draft.ts";
import { toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { registerKitAccess, registerKitBySample } from "../../lib/services/orders/kits.ts";

export const contract = endpoint({
  operationId: "registerTestkit",
  method: "POST",
  path: "/v3/order/testkit/register",
  tag: "orders",
  summary: "Register a test kit",
  description: [
    "Assigns a registrable test kit to its patient, whom `patient_details` describes.",
    "Call it when the patient has the kit and enters its sample number.",
    "With a `user_id`, the order moves to that user; without one, it stays with the user who ordered the kit.",
    "The order moves to `registered`, and `labtest.order.updated` follows.",
    "An unknown sample number returns `not_found`; a kit that is registered or past that point returns `not_possible`.",
    "A patient under 18 needs minor ordering to be enabled for the team, and a `medical_proxy`.",
    "Missing background, proxy and access notes come from the user's info.",
    "The state of the patient and the insurance are checked as for a placed order.",
  ],
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
