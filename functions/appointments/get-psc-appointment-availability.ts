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

/**
 * Lists the available times within 14 days at patient service centers. May return cached times to teams with that
 * feature.
 */
export const contract = endpoint({
  operationId: "getPscAppointmentAvailability",
  method: "POST",
  path: "/v3/order/psc/appointment/availability",
  tag: "appointments",
  summary: "List available times at patient service centers",
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
