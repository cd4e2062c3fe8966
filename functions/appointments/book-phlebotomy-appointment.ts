import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { bookingRequest } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { visitPartnersFor } from "../../lib/labs/visit-partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { decideBooking } from "../../lib/services/appointments/decide-booking.ts";
import {
  bookingAccess,
  executeAppointmentCommand,
} from "../../lib/services/appointments/execute-appointment-command.ts";
import { homeAppointments } from "../../lib/services/appointments/home-appointments.ts";

/**
 * Books an at-home phlebotomy appointment for an order. The provider receives the notes and the access notes of the
 * address.
 */
export const contract = endpoint({
  operationId: "bookPhlebotomyAppointment",
  method: "POST",
  path: "/v3/order/{order_id}/phlebotomy/appointment/book",
  tag: "appointments",
  summary: "Book an at-home phlebotomy appointment",
  auth: "team",
  params: orderParams,
  query: noFields,
  body: bookingRequest,
  response: wireAppointment,
  errors: [NotFound, NotPossible],
  access: bookingAccess,
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, deps) => {
  const all = { ...deps, findVisitPartner: visitPartnersFor(deployment().environment) };
  const decide = decideBooking({ scope, kind: homeAppointments, deps: all }, body);
  return executeAppointmentCommand({ scope, team }, params.order_id, all, decide, log);
});
