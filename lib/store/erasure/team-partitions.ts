import {
  bulkExports,
  bulkOps,
  consentKeys,
  consoleProviders,
  continuousQueries,
  customCredentials,
  deliverySlots,
  destinations,
  endpointHealth,
  endpointPlaces,
  eventFeed,
  fhirClients,
  labMessages,
  labReports,
  labTests,
  lakeTables,
  matchReviews,
  matchTests,
  payors,
  physicians,
  pullPreferences,
  quotas,
  reportAliases,
  scopeRequirements,
  sourcePriorities,
  teamKeys,
  throttles,
  usage,
  webhookEndpoints,
} from "../../contract/resources.ts";
import { tailKey } from "../events/feed-items.ts";
import type { TeamScope } from "../team-scope.ts";
import { attemptPartitions } from "../usage/attempt-counts.ts";

/** Entities with a partition for each team, named by the team's id, other than users and keys. */
export const teamPartitions = [
  bulkExports,
  bulkOps,
  consentKeys,
  consoleProviders,
  continuousQueries,
  customCredentials,
  deliverySlots,
  destinations,
  endpointHealth,
  endpointPlaces,
  eventFeed,
  fhirClients,
  labMessages,
  labReports,
  labTests,
  lakeTables,
  matchReviews,
  matchTests,
  payors,
  physicians,
  pullPreferences,
  quotas,
  reportAliases,
  scopeRequirements,
  sourcePriorities,
  teamKeys,
  throttles,
  usage,
  webhookEndpoints,
] as const;

/** Returns the names of all partitions of a team in one of these entities: that of its id, and those named by more. */
export function listTeamPartitions({ store, keyPrefix }: (typeof teamPartitions)[number], scope: TeamScope): string[] {
  if (store === usage.store) return attemptPartitions(scope);
  const own = `${keyPrefix}${scope.teamId}`;
  return store === eventFeed.store ? [own, tailKey(scope.teamId).pk] : [own];
}
