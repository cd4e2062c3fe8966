import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { wireOrderTracking } from "../../lib/domain/results/wire-order-tracking.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readOrderTracking, readOrderTrackingAccess } from "../../lib/services/results/read-order-tracking.ts";

/** Returns when the results of an order are expected, and which markers have theirs. */
export const contract = endpoint({
  operationId: "getOrderTracking",
  method: "GET",
  path: "/v3/order/{order_id}/tracking",
  tag: "results",
  summary: "Retrieve the progress of an order towards its results",
  description: [
    "Returns when the results of an order are expected, when its sample was collected, and which markers have results.",
    "The shipment of a kit, with its tracking numbers, is part of the order itself (`details.data.shipment`).",
    "",
    "- Estimates are days, at midnight UTC: the usual turnaround time after the day of the appointment or the sample.",
    "- They are null before that day is known, and the current one also after the order was cancelled or failed.",
    "- `updates` lists each change of the estimate because an appointment moved to another day.",
    "- A marker is `pending`, `resulted`, or `incomplete` if the final result lacks some of its results.",
    "- Partial results count only for teams with `partial_webhooks_enabled`.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireOrderTracking,
  errors: [NotFound],
  access: readOrderTrackingAccess,
});

export const handler = implement(contract, (call, deps) => readOrderTracking(call, call.params.order_id, deps));
