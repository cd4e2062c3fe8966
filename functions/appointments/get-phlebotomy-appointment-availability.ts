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

export const contract = endpoint({
  operationId: "getPhlebotomyAppointmentAvailability",
  method: "POST",
  path: "/v3/order/phlebotomy/appointment/availability",
  tag: "appointments",
  summary: "List available times for at-home phlebotomy",
  description: [
    "Lists the free times of 14 days at which a phlebotomist can come to an address, with a `booking_key` each.",
    "Call it before booking: a key is valid for an hour, and only its booking holds the time.",
    "Times are every hour from 07:00 to 17:00 local time at the address, at least two hours ahead.",
    "`start_date` is a local date there; a past one returns `not_possible`.",
    "Bookings accept times on the 90 days from today on, and later days have none.",
    "Days without times are left out, and a zip code that nobody serves has none.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    start_date: calendarDate.optional().describe("First day, at the address. Default: the first with times"),
  }),
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
