import type { Grant } from "../access.ts";
import type { EndpointContract } from "../endpoint.ts";
import type { EntityResource } from "../resource-kinds.ts";
import {
  accessHours,
  auditChains,
  auditHours,
  auditLog,
  consoleSignIns,
  consoleTickets,
  deliveries,
  eventFeed,
  keys,
  keyUses,
  labAccounts,
  linkTokens,
  loginAttempts,
  oauthAttempts,
  oauthTickets,
  orgs,
  portalSessions,
  providerAccounts,
  receipts,
  reviewLinks,
  signInTokens,
  slots,
  users,
} from "../resources.ts";

/**
 * Which partition keys belong to a team. A deployment with `teamCredentials` limits the functions of a team's routes to
 * them (docs/decisions/0027).
 */

/**
 * Entities whose partition keys contain no id of a team: they are the hash of a secret or of an account, or the id of a
 * key, an organisation or a place.
 */
export const entitiesOfNoTeam: readonly EntityResource[] = [
  ...[keys, keyUses, orgs, auditLog, auditHours, accessHours, labAccounts],
  ...[consoleTickets, consoleSignIns, portalSessions, reviewLinks, linkTokens, signInTokens],
  ...[oauthTickets, oauthAttempts, loginAttempts, providerAccounts, slots],
];

/** Texts between the prefix of an entity and the id of the team, for entities with more than one kind of partition. */
const lists = new Map<EntityResource, readonly string[]>([
  [users, ["", "pending#", "erasing#"]],
  [eventFeed, ["", "last#"]],
  [receipts, ["", "pending#"]],
  [deliveries, ["", "of#", "parked#"]],
  [auditChains, ["access#"]],
]);

/**
 * Returns the patterns of the partition keys of one team that a grant on items reaches. All ids of teams are UUIDs of one
 * length, so no key of another team begins with the id of this one.
 * @param team the id of the team, or the policy variable that stands for it.
 * @returns undefined for an entity without keys of teams.
 */
export function teamKeyPatterns(grant: Grant, team: string): readonly string[] | undefined {
  if (grant.resource.kind !== "entity" || entitiesOfNoTeam.includes(grant.resource)) return undefined;
  const { table, keyPrefix } = grant.resource;
  const index = "index" in grant && grant.index !== undefined ? table.indexes[grant.index] : undefined;
  if (index?.isOfTeam) return [team];
  return (lists.get(grant.resource) ?? [""]).map((list) => `${keyPrefix}${list}${team}*`);
}

/**
 * Returns the grants on items that a function uses after it knows the team of its caller. Empty for functions that serve
 * several teams or nobody in particular.
 */
export function grantsForTeam({ auth, access }: Pick<EndpointContract, "auth" | "access">): readonly Grant[] {
  const servesOneTeam = auth !== "none" && auth !== "management";
  return servesOneTeam ? access.filter(({ resource }) => resource.kind === "entity") : [];
}
