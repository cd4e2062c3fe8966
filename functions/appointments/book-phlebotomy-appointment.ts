import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { appointments, orders, orderWork, outbox, slots, users } from "../../lib/contract/resources.ts";
import { bookingRequest } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/orders/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { visitPartnersOf } from "../../lib/labs/visit-partners.ts";
import { atHome } from "../../lib/runtime/appointments/at-home.ts";
import { booking } from "../../lib/runtime/appointments/booking.ts";
import { commandAppointment } from "../../lib/runtime/appointments/commanding.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

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
  query: nothing,
  body: bookingRequest,
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
  ],
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, uses) => {
  const all = { ...uses, findVisitPartner: visitPartnersOf(deployment().environment) };
  const decide = booking({ scope, kind: atHome, uses: all }, body);
  return commandAppointment({ scope, team }, params.order_id, all, decide, log);
});
