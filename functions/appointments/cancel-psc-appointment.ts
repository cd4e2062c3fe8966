import { deleteItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { slots } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { pscCancellation } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { decideCancellation } from "../../lib/services/appointments/decide-booking.ts";
import {
  appointmentCommandAccess,
  executeAppointmentCommand,
} from "../../lib/services/appointments/execute-appointment-command.ts";
import { siteAppointments } from "../../lib/services/appointments/site-appointments.ts";

export const contract = endpoint({
  operationId: "cancelPscAppointment",
  method: "PATCH",
  path: "/v3/order/{order_id}/psc/appointment/cancel",
  tag: "appointments",
  summary: "Cancel a patient service center appointment",
  description: [
    "Cancels the open appointment of an order at a patient service center, also one that is only pending or reserved.",
    "`cancellationReasonId` comes from `GET /v3/order/psc/appointment/cancellation-reasons`.",
    "The time is free at once, and the service tells the provider asynchronously.",
    "An order with a pending or booked time moves to `appointment_cancelled`, and you can book again.",
    "The events `labtest.appointment.updated` and, with a new status of the order, `labtest.order.updated` follow.",
    "A completed or cancelled appointment returns `not_possible`, and an order without appointment `not_found`.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  body: pscCancellation,
  response: wireAppointment,
  errors: [NotFound, NotPossible],
  access: grants(appointmentCommandAccess, deleteItem(slots)),
  feature: "psc_scheduling",
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, deps) => {
  const decide = decideCancellation(siteAppointments, body.cancellationReasonId, body.note);
  return executeAppointmentCommand({ scope, team }, params.order_id, deps, decide, log);
});
