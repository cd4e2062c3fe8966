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

export const contract = endpoint({
  operationId: "bookPhlebotomyAppointment",
  method: "POST",
  path: "/v3/order/{order_id}/phlebotomy/appointment/book",
  tag: "appointments",
  summary: "Book an at-home phlebotomy appointment",
  description: [
    "Books a time at the patient's home, named by a `booking_key` of the availability search.",
    "The key is valid for an hour, and only for one team and a provider that serves the address of the order.",
    "The order moves to `appointment_scheduled`; in `ordered`, the time is `reserved` until the requisition exists.",
    "A reserved time is released after 8 hours, or 2 hours before its start, if the order has no requisition by then.",
    "The provider receives the notes and the access notes of the address asynchronously.",
    "The events `labtest.appointment.created` (`.updated` for a pending request) and `labtest.order.updated` follow.",
    "A time that another order took returns `not_possible` in a sandbox, and `not_found` in production.",
    "An order with a booked time returns `not_possible`: reschedule it, or cancel it first if it is not confirmed.",
  ],
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
