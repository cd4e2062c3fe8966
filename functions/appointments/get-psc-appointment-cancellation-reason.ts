import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { pscReasons, wireCancellationReason } from "../../lib/domain/appointments/cancellation-reasons.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Lists the reasons for cancelling an appointment at a patient service center. */
export const contract = endpoint({
  operationId: "getPscAppointmentCancellationReason",
  method: "GET",
  path: "/v3/order/psc/appointment/cancellation-reasons",
  tag: "appointments",
  summary: "List cancellation reasons of patient service centers",
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.array(wireCancellationReason),
  access: [],
  feature: "psc_scheduling",
});

export const handler = implement(contract, async () => [...pscReasons]);
