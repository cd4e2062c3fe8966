import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { slots } from "../../lib/contract/resources.ts";
import { pscAvailabilityQuery } from "../../lib/domain/appointments/appointment-requests.ts";
import { wireAvailability } from "../../lib/domain/appointments/wire-availability.ts";
import { searchAtSites } from "../../lib/runtime/appointments/searching.ts";
import { heldTimes } from "../../lib/runtime/appointments/stale-times.ts";
import { NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireFeature } from "../../lib/runtime/team/require-feature.ts";

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
  params: nothing,
  query: pscAvailabilityQuery,
  response: wireAvailability,
  errors: [NotPossible],
  access: [query(slots)],
  feature: "psc_scheduling",
});

export const handler = implement(contract, async ({ scope, team, query }, { slots }) => {
  if (query.allow_stale) requireFeature(team, "psc_cached_availability");
  return searchAtSites(scope.teamId, query, heldTimes(slots, query.allow_stale));
});
