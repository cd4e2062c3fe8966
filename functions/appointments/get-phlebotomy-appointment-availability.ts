import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { slots } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { usAddress } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAvailability } from "../../lib/domain/appointments/wire-availability.ts";
import { calendarDate } from "../../lib/domain/users/user.ts";
import { NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { searchHomeAvailability } from "../../lib/services/appointments/search-availability.ts";

/** Lists the times within 14 days at which a phlebotomist can come to an address. */
export const contract = endpoint({
  operationId: "getPhlebotomyAppointmentAvailability",
  method: "POST",
  path: "/v3/order/phlebotomy/appointment/availability",
  tag: "appointments",
  summary: "List available times for at-home phlebotomy",
  auth: "team",
  params: noFields,
  query: z.object({ start_date: calendarDate.optional() }),
  body: usAddress,
  response: wireAvailability,
  errors: [NotPossible],
  access: [queryItems(slots)],
});

export const handler = implement(contract, ({ scope, query, body }, { slots }) =>
  searchHomeAvailability(scope.teamId, { address: body, startDate: query.start_date }, (...of) =>
    slots.listReservedTimes(...of),
  ),
);
