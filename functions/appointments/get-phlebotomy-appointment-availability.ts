import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { slots } from "../../lib/contract/resources.ts";
import { usAddress } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAvailability } from "../../lib/domain/appointments/wire-availability.ts";
import { calendarDate } from "../../lib/domain/user.ts";
import { searchAtHome } from "../../lib/runtime/appointments/searching.ts";
import { NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Lists the times within 14 days at which a phlebotomist can come to an address. */
export const contract = endpoint({
  operationId: "getPhlebotomyAppointmentAvailability",
  method: "POST",
  path: "/v3/order/phlebotomy/appointment/availability",
  tag: "appointments",
  summary: "List available times for at-home phlebotomy",
  auth: "team",
  params: nothing,
  query: z.object({ start_date: calendarDate.optional() }),
  body: usAddress,
  response: wireAvailability,
  errors: [NotPossible],
  access: [query(slots)],
});

export const handler = implement(contract, ({ scope, query, body }, { slots }) =>
  searchAtHome(scope.teamId, { address: body, startDate: query.start_date }, (...of) => slots.heldBetween(...of)),
);
