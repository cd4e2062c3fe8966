import { get, put, remove, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { appointments, orders, orderWork, outbox, slots, users } from "../../lib/contract/resources.ts";
import { rescheduleRequest } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/orders/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { visitPartnersOf } from "../../lib/labs/visit-partners.ts";
import { atSites } from "../../lib/runtime/appointments/at-sites.ts";
import { rescheduling } from "../../lib/runtime/appointments/booking.ts";
import { commandAppointment } from "../../lib/runtime/appointments/commanding.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Moves an appointment at a patient service center to another available time. */
export const contract = endpoint({
  operationId: "reschedulePscAppointment",
  method: "PATCH",
  path: "/v3/order/{order_id}/psc/appointment/reschedule",
  tag: "appointments",
  summary: "Reschedule a patient service center appointment",
  auth: "team",
  params: orderParams,
  query: nothing,
  body: rescheduleRequest,
  response: wireAppointment,
  errors: [NotFound, NotPossible],
  access: [
    get(orders),
    put(orders),
    get(users),
    get(appointments),
    put(appointments),
    get(orderWork),
    put(orderWork),
    put(outbox),
    send(labWork),
    get(slots),
    put(slots),
    remove(slots),
  ],
  feature: "psc_scheduling",
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, uses) => {
  const all = { ...uses, findVisitPartner: visitPartnersOf(deployment().environment) };
  const decide = rescheduling({ scope, kind: atSites, uses: all }, body);
  return commandAppointment({ scope, team }, params.order_id, all, decide, log);
});
