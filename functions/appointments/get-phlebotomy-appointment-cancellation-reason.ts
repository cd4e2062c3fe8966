import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { phlebotomyReasons, wireCancellationReason } from "../../lib/domain/appointments/cancellation-reasons.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getPhlebotomyAppointmentCancellationReason",
  method: "GET",
  path: "/v3/order/phlebotomy/appointment/cancellation-reasons",
  tag: "appointments",
  summary: "List cancellation reasons of at-home phlebotomy",
  description: [
    "Lists the reasons that `PATCH /v3/order/{order_id}/phlebotomy/appointment/cancel` accepts.",
    "Their ids are fixed, so you can store them.",
    "`is_refundable` tells whether a cancellation for this reason is refundable.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.array(wireCancellationReason),
  access: [],
});

export const handler = implement(contract, async () => [...phlebotomyReasons]);
