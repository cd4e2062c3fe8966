import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { phlebotomyReasons, wireCancellationReason } from "../../lib/domain/appointments/cancellation-reasons.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Lists the reasons for cancelling an at-home phlebotomy appointment. */
export const contract = endpoint({
  operationId: "getPhlebotomyAppointmentCancellationReason",
  method: "GET",
  path: "/v3/order/phlebotomy/appointment/cancellation-reasons",
  tag: "appointments",
  summary: "List cancellation reasons of at-home phlebotomy",
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.array(wireCancellationReason),
  access: [],
});

export const handler = implement(contract, async () => [...phlebotomyReasons]);
