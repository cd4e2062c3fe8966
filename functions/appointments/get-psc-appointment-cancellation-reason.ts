import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { pscReasons, wireCancellationReason } from "../../lib/domain/appointments/cancellation-reasons.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getPscAppointmentCancellationReason",
  method: "GET",
  path: "/v3/order/psc/appointment/cancellation-reasons",
  tag: "appointments",
  summary: "List cancellation reasons of patient service centers",
  description: [
    "Lists the reasons that `PATCH /v3/order/{order_id}/psc/appointment/cancel` accepts.",
    "Their ids are fixed, and differ from those of at-home phlebotomy.",
    "`is_refundable` tells whether a cancellation for this reason is refundable.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.array(wireCancellationReason),
  access: [],
  feature: "psc_scheduling",
});

export const handler = implement(contract, async () => [...pscReasons]);
