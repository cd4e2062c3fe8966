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

/**
 * Moves an at-home phlebotomy appointment to another available time. The provider receives the notes and the access
 * notes of the address.
 */
export const contract = endpoint({
  operationId: "reschedulePhlebotomyAppointment",
  method: "PATCH",
  path: "/v3/order/{order_id}/phlebotomy/appointment/reschedule",
  tag: "appointments",
  summary: "Reschedule an at-home phlebotomy appointment",
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
