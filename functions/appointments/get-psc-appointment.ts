import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { appointments, orders, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readAppointment } from "../../lib/services/appointments/read-appointment.ts";

export const contract = endpoint({
  operationId: "getPscAppointment",
  method: "GET",
  path: "/v3/order/{order_id}/psc/appointment",
  tag: "appointments",
  summary: "Retrieve a patient service center appointment",
  description: [
    "Returns the current appointment of an order at a patient service center, or its last one if none is open.",
    "Poll it, or wait for `labtest.appointment.updated`, after a booking that is still `pending`.",
    "`events` has the history, in which `scheduled` corresponds to `confirmed` in `status`.",
    "Times are UTC, and `iana_timezone` is the time zone of the site.",
    "An order without such an appointment returns `not_found`.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireAppointment,
  errors: [NotFound],
  access: [getItem(orders), getItem(users), getItem(appointments)],
  feature: "psc_scheduling",
});

export const handler = implement(contract, ({ scope, params }, deps) =>
  readAppointment(scope, params.order_id, "patient_service_center", deps),
);
