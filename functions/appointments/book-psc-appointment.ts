import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { appointments, orders, orderWork, outbox, requests, slots, users } from "../../lib/contract/resources.ts";
import { BOOKING_KEPT_MS, bookingRequest } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/orders/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { visitPartnersOf } from "../../lib/labs/visit-partners.ts";
import { atSites } from "../../lib/runtime/appointments/at-sites.ts";
import { booking } from "../../lib/runtime/appointments/booking.ts";
import { planAppointment } from "../../lib/runtime/appointments/commanding.ts";
import { untilUndisturbed } from "../../lib/runtime/changing-orders.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Conflict, NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { idempotencyKeyHeader, once } from "../../lib/runtime/idempotency.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";
import { requireFeature } from "../../lib/runtime/team/require-feature.ts";
import type { WriteItem } from "../../lib/store/transaction.ts";

/**
 * Books an appointment at a patient service center, once for each idempotency key. The confirmation may arrive after
 * the response.
 */
export const contract = endpoint({
  operationId: "bookPscAppointment",
  method: "POST",
  path: "/v3/order/{order_id}/psc/appointment/book",
  tag: "appointments",
  summary: "Book a patient service center appointment",
  auth: "team",
  params: orderParams,
  query: nothing,
  body: bookingRequest,
  response: wireAppointment,
  errors: [NotFound, NotPossible, Conflict],
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
    get(requests),
    put(requests),
  ],
  feature: "psc_scheduling",
});

export const handler = implement(contract, async ({ scope, team, params, body, event, log }, uses) => {
  const { headers } = event;
  if (body.async_confirmation) requireFeature(team, "psc_async_confirmation");
  if (headers[idempotencyKeyHeader] !== undefined) requireFeature(team, "psc_idempotency");
  const all = { ...uses, findVisitPartner: visitPartnersOf(deployment().environment) };
  const decide = booking({ scope, kind: atSites, uses: all }, body);
  const keyed = { contract, scope, headers, body: { ...params, ...body }, keptMs: BOOKING_KEPT_MS };
  return untilUndisturbed(() =>
    once(keyed, uses.requests, async () => {
      const { appointment, work, write } = await planAppointment({ scope, team }, params.order_id, all, decide);
      const writeAndTell = async (more: readonly WriteItem[]) => {
        await write(more);
        await startWork(uses.labWork, work, log);
      };
      return { userId: appointment.user_id, answer: appointment, write: writeAndTell };
    }),
  );
});
