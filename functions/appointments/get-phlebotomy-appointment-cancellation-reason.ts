import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { phlebotomyReasons, wireCancellationReason } from "../../lib/domain/appointments/cancellation-reasons.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Answers the reasons for which an at-home draw can be cancelled. */
export const contract = endpoint({
  operationId: "getPhlebotomyAppointmentCancellationReason",
  method: "GET",
  path: "/v3/order/phlebotomy/appointment/cancellation-reasons",
  tag: "appointments",
  summary: "List the reasons to cancel an at-home draw",
  auth: "team",
  params: nothing,
  query: nothing,
  response: z.array(wireCancellationReason),
  access: [],
});

export const handler = implement(contract, async () => [...phlebotomyReasons]);
