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

export const contract = endpoint({
  operationId: "requestPhlebotomyAppointment",
  method: "POST",
  path: "/v3/order/{order_id}/phlebotomy/appointment/request",
  tag: "appointments",
  summary: "Request an at-home phlebotomy appointment",
  description: [
    "Requests a visit at an address from a provider without bookable times, which sets the time later.",
    "`GET /v3/order/area/info` names the providers of a zip code; book a time instead where one has bookable times.",
    "The appointment is `pending` without a time, and the order moves to `appointment_pending`.",
    "`labtest.appointment.updated` reports the time later. In a sandbox, simulate the order to get one.",
    "The events `labtest.appointment.created` and `labtest.order.updated` follow the call.",
    "An order with an open appointment returns `not_possible`, and so does a provider that takes no requests there.",
    "`address` may differ from the patient's; without `access_notes`, those of the order apply.",
  ],
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
