import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { slots } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { pscAvailabilityQuery } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAvailability } from "../../lib/domain/appointments/wire-availability.ts";
import { requireFeature } from "../../lib/runtime/callers/require-feature.ts";
import { NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { createHeldTimesReader } from "../../lib/services/appointments/held-times.ts";
import { searchSiteAvailability } from "../../lib/services/appointments/search-availability.ts";

export const contract = endpoint({
  operationId: "getPscAppointmentAvailability",
  method: "POST",
  path: "/v3/order/psc/appointment/availability",
  tag: "appointments",
  summary: "List available times at patient service centers",
  description: [
    "Lists the free times of 14 days at patient service centers of `quest` or `sonora_quest`, each with its key.",
    "Name up to 3 `site_codes`, or a `zip_code` with a `radius`, which searches the 10 nearest sites.",
    "Times are every 20 minutes in New York time, from 07:00 to 12:00. Today has times from the next hour to 17:00.",
    "`start_date` is a date in New York, by default the first with times.",
    "Bookings accept times on the 90 days from today on, and later days have none.",
    "With `allow_stale` and the feature `psc_cached_availability`, times may be 15 minutes old and already taken.",
    "A past date, a site that is not bookable here, or an incomplete search returns `not_possible`.",
  ],
  auth: "team",
  params: noFields,
  query: pscAvailabilityQuery,
  response: wireAvailability,
  errors: [NotPossible],
  access: [queryItems(slots)],
  feature: "psc_scheduling",
});

export const handler = implement(contract, async ({ scope, team, query }, { slots }) => {
  if (query.allow_stale) requireFeature(team, "psc_cached_availability");
  return searchSiteAvailability(scope.teamId, query, createHeldTimesReader(slots, query.allow_stale));
});
