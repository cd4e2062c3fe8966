import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { appointments, orders, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireAppointment } from "../../lib/domain/appointments/wire-appointment.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readAppointment } from "../../lib/services/appointments/read-appointment.ts";

/** Returns the current or last appointment of an at-home phlebotomy order. */
export const contract = endpoint({
  operationId: "getPhlebotomyAppointment",
  method: "GET",
  path: "/v3/order/{order_id}/phlebotomy/appointment",
  tag: "appointments",
  summary: "Retrieve an at-home phlebotomy appointment",
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
