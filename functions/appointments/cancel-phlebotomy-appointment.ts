import { deleteItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { slots } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { phlebotomyCancellation } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { decideCancellation } from "../../lib/services/appointments/decide-booking.ts";
import {
  appointmentCommandAccess,
  executeAppointmentCommand,
} from "../../lib/services/appointments/execute-appointment-command.ts";
import { homeAppointments } from "../../lib/services/appointments/home-appointments.ts";

export const contract = endpoint({
  operationId: "cancelPhlebotomyAppointment",
  method: "PATCH",
  path: "/v3/order/{order_id}/phlebotomy/appointment/cancel",
  tag: "appointments",
  summary: "Cancel an at-home phlebotomy appointment",
  description: [
    "Cancels the open at-home appointment of an order, also one that is only requested or reserved.",
    "`cancellation_reason_id` comes from `GET /v3/order/phlebotomy/appointment/cancellation-reasons`.",
    "The time is free at once, and the service tells the provider asynchronously.",
    "An order with a requested or booked time moves to `appointment_cancelled`, and you can book again.",
    "The events `labtest.appointment.updated` and, with a new status of the order, `labtest.order.updated` follow.",
    "A completed or cancelled appointment returns `not_possible`, and an order without appointment `not_found`.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  body: phlebotomyCancellation,
  response: wireAppointment,
  errors: [NotFound, NotPossible],
  access: grants(appointmentCommandAccess, deleteItem(slots)),
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, deps) => {
  const decide = decideCancellation(homeAppointments, body.cancellation_reason_id, body.notes);
  return executeAppointmentCommand({ scope, team }, params.order_id, deps, decide, log);
});
