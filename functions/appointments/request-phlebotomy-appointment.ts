import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { appointmentRequest } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { visitPartnersFor } from "../../lib/labs/visit-partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { decideAppointmentRequest } from "../../lib/services/appointments/decide-appointment-request.ts";
import {
  appointmentCommandAccess,
  executeAppointmentCommand,
} from "../../lib/services/appointments/execute-appointment-command.ts";
import { homeAppointments } from "../../lib/services/appointments/home-appointments.ts";

/**
 * Requests an at-home phlebotomy appointment from a provider without bookable times. The appointment is pending until
 * it has a time.
 */
export const contract = endpoint({
  operationId: "requestPhlebotomyAppointment",
  method: "POST",
  path: "/v3/order/{order_id}/phlebotomy/appointment/request",
  tag: "appointments",
  summary: "Request an at-home phlebotomy appointment",
  auth: "team",
  params: orderParams,
  query: noFields,
  body: appointmentRequest,
  response: wireAppointment,
  errors: [NotFound, NotPossible],
  access: appointmentCommandAccess,
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, deps) => {
  const all = { ...deps, findVisitPartner: visitPartnersFor(deployment().environment) };
  const decide = decideAppointmentRequest({ kind: homeAppointments, deps: all }, body);
  return executeAppointmentCommand({ scope, team }, params.order_id, all, decide, log);
});
