import { get, put, remove, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { appointments, orders, orderWork, outbox, slots, users } from "../../lib/contract/resources.ts";
import { pscCancellation } from "../../lib/domain/appointments/appointment-requests.ts";
import { pscReasons } from "../../lib/domain/appointments/cancellation-reasons.ts";
import { wireAppointment } from "../../lib/domain/orders/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { atSites } from "../../lib/runtime/appointments/at-sites.ts";
import { cancelling } from "../../lib/runtime/appointments/booking.ts";
import { commandAppointment } from "../../lib/runtime/appointments/commanding.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Cancels an appointment at a patient service center for a listed reason and releases its slot. */
export const contract = endpoint({
  operationId: "cancelPscAppointment",
  method: "PATCH",
  path: "/v3/order/{order_id}/psc/appointment/cancel",
  tag: "appointments",
  summary: "Cancel a patient service center appointment",
  auth: "team",
  params: orderParams,
  query: nothing,
  body: pscCancellation,
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
    remove(slots),
  ],
  feature: "psc_scheduling",
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, uses) => {
  const why = {
    reasons: pscReasons,
    reasonId: body.cancellationReasonId,
    field: "cancellationReasonId",
    note: body.note,
  };
  return commandAppointment({ scope, team }, params.order_id, uses, cancelling(atSites, why), log);
});
