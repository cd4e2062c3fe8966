import { getItem, grants, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { requests } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { BOOKING_IDEMPOTENCY_KEY_TTL_MS, bookingRequest } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { visitPartnersFor } from "../../lib/labs/visit-partners.ts";
import { requireFeature } from "../../lib/runtime/callers/require-feature.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Conflict, NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { idempotencyKeyHeader, runOncePerKey } from "../../lib/runtime/http/idempotency.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { decideBooking } from "../../lib/services/appointments/decide-booking.ts";
import { bookingAccess, planAppointmentChange } from "../../lib/services/appointments/execute-appointment-command.ts";
import { siteAppointments } from "../../lib/services/appointments/site-appointments.ts";
import { retryOnConflict } from "../../lib/services/orders/change-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";
import type { WriteItem } from "../../lib/store/transaction.ts";

export const contract = endpoint({
  operationId: "bookPscAppointment",
  method: "POST",
  path: "/v3/order/{order_id}/psc/appointment/book",
  tag: "appointments",
  summary: "Book a patient service center appointment",
  description: [
    "Books a time at a patient service center of the order's laboratory, by a `booking_key` valid for an hour.",
    "An order in `ordered` gets a `reserved` time, which ends after 8 hours, or 2 hours before its start.",
    "With `X-Idempotency-Key` and the feature `psc_idempotency`, repeats within 14 days get the first response.",
    "With `async_confirmation` and the feature `psc_async_confirmation`, an unconfirmed booking is `pending`.",
    "The service then confirms it later, or cancels it `async_confirmation_timeout_millisecond` after its creation.",
    "The events `labtest.appointment.created` and `labtest.order.updated` follow, then `labtest.appointment.updated`.",
    "A time that another order took returns `not_possible` in a sandbox, and `not_found` in production.",
    "An order with a booked time returns `not_possible`: reschedule it, or cancel it first if it is not confirmed.",
    "A missing feature returns `forbidden`, and a key that came with another order or body returns `conflict`.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  body: bookingRequest,
  response: wireAppointment,
  errors: [NotFound, NotPossible, Conflict],
  access: grants(bookingAccess, getItem(requests), putItem(requests)),
  feature: "psc_scheduling",
});

export const handler = implement(contract, async ({ scope, team, params, body, event, log }, deps) => {
  const { headers } = event;
  if (body.async_confirmation) requireFeature(team, "psc_async_confirmation");
  if (headers[idempotencyKeyHeader] !== undefined) requireFeature(team, "psc_idempotency");
  const all = { ...deps, findVisitPartner: visitPartnersFor(deployment().environment) };
  const decide = decideBooking({ scope, kind: siteAppointments, deps: all }, body);
  const idempotentRequest = {
    contract,
    scope,
    headers,
    body: { ...params, ...body },
    retentionMs: BOOKING_IDEMPOTENCY_KEY_TTL_MS,
  };
  return retryOnConflict(() =>
    runOncePerKey(idempotentRequest, deps.requests, async () => {
      const { appointment, tasks, write } = await planAppointmentChange({ scope, team }, params.order_id, all, decide);
      const writeAndSchedule = async (more: readonly WriteItem[]) => {
        await write(more);
        await scheduleOrderTasks(deps.labWork, tasks, log);
      };
      return { userId: appointment.user_id, answer: appointment, write: writeAndSchedule };
    }),
  );
});
