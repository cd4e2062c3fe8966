import {
  continuousQueries,
  customCredentials,
  destinations,
  endpointHealth,
  eventFeed,
  labTests,
  payors,
  pullPreferences,
  quotas,
  scopeRequirements,
  sourcePriorities,
  usage,
  webhookEndpoints,
} from "../contract/resources.ts";

/** What a team has besides its users and keys: of each entity the one partition that the team's id names. */
export const teamPartitions = [
  continuousQueries,
  customCredentials,
  destinations,
  endpointHealth,
  eventFeed,
  labTests,
  payors,
  pullPreferences,
  quotas,
  scopeRequirements,
  sourcePriorities,
  usage,
  webhookEndpoints,
] as const;
