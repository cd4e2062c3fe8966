import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { appointments, orders, users } from "../../lib/contract/resources.ts";
import { wireAppointment } from "../../lib/domain/orders/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { readAppointment } from "../../lib/runtime/appointments/reading.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Returns the current or last appointment of an order at a patient service center. */
export const contract = endpoint({
  operationId: "getPscAppointment",
  method: "GET",
  path: "/v3/order/{order_id}/psc/appointment",
  tag: "appointments",
  summary: "Retrieve a patient service center appointment",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: wireAppointment,
  errors: [NotFound],
  access: [get(orders), get(users), get(appointments)],
  feature: "psc_scheduling",
});

export const handler = implement(contract, ({ scope, params }, uses) =>
  readAppointment(scope, params.order_id, "patient_service_center", uses),
);
