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
  operationId: "getPhlebotomyAppointment",
  method: "GET",
  path: "/v3/order/{order_id}/phlebotomy/appointment",
  tag: "appointments",
  summary: "Retrieve an at-home phlebotomy appointment",
  description: [
    "Returns the current appointment of an at-home phlebotomy order, or its last one if none is open.",
    "`events` has the history, in which `scheduled` corresponds to `confirmed` in `status`.",
    "`start_at` and `end_at` are null until the appointment has a time.",
    "An order without an at-home appointment returns `not_found`.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireAppointment,
  errors: [NotFound],
  access: [getItem(orders), getItem(users), getItem(appointments)],
});

export const handler = implement(contract, ({ scope, params }, deps) =>
  readAppointment(scope, params.order_id, "phlebotomy", deps),
);
