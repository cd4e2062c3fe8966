import { deleteItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { slots } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { rescheduleRequest } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { visitPartnersFor } from "../../lib/labs/visit-partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { decideReschedule } from "../../lib/services/appointments/decide-booking.ts";
import {
  bookingAccess,
  executeAppointmentCommand,
} from "../../lib/services/appointments/execute-appointment-command.ts";
import { homeAppointments } from "../../lib/services/appointments/home-appointments.ts";

export const contract = endpoint({
  operationId: "reschedulePhlebotomyAppointment",
  method: "PATCH",
  path: "/v3/order/{order_id}/phlebotomy/appointment/reschedule",
  tag: "appointments",
  summary: "Reschedule an at-home phlebotomy appointment",
  description: [
    "Moves a scheduled at-home appointment to another time of the same provider, and frees the old one.",
    "Take the `booking_key` from a new availability search; it is valid for an hour.",
    "Absent notes stay as they are. The provider receives them again, with the access notes of the address.",
    "`labtest.appointment.updated` follows, with the former times in `event_data`, and `labtest.order.updated`.",
    "An appointment that has no time, has started or has ended returns `not_possible`.",
    "A taken time returns `not_possible` in a sandbox and `not_found` in production.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  body: rescheduleRequest,
  response: wireAppointment,
  errors: [NotFound, NotPossible],
  access: grants(bookingAccess, deleteItem(slots)),
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, deps) => {
  const all = { ...deps, findVisitPartner: visitPartnersFor(deployment().environment) };
  const decide = decideReschedule({ scope, kind: homeAppointments, deps: all }, body);
  return executeAppointmentCommand({ scope, team }, params.order_id, all, decide, log);
});
