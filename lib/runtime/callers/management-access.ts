import * as z from "zod";
import { type EndpointContract, managementScopeOf } from "../../contract/endpoint.ts";
import type { KeyRecord, Team } from "../../domain/management/records.ts";
import type { wireBulkDeletion } from "../../domain/management/wire-key.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import { deployment } from "../deployment.ts";
import { Forbidden, NotFound } from "../errors.ts";
import type { Log } from "../log.ts";

/** Whether sessions of a key also manage its team: it belongs to the management API, or to a sign-in provider. */
export const managesTeam = ({ kind }: KeyRecord): boolean =>
  kind === "org_admin" || kind === "team_admin" || kind === "console_provider";

/** @throws NotFound unless the key belongs to this organisation, as for an unknown organisation. */
export function requireOrg(key: KeyRecord, orgId: string): void {
  if (key.org_id !== orgId) throw new NotFound("There is no organization with this id.");
}

/** @throws Forbidden for a team-scoped key: it has no access to resources and actions of the organisation. */
export function requireOrgAdmin(key: KeyRecord, orgId: string): void {
  requireOrg(key, orgId);
  if (key.kind !== "org_admin") throw new Forbidden("This operation requires an organization management key.");
}

const managementPath = z.object({
  org_id: z.guid().toLowerCase(),
  team_id: z.guid().toLowerCase().optional(),
  env: z.string().optional(),
  region: z.string().optional(),
});

/**
 * Checks a management key against the organisation and team in the path, and that the deployment serves its environment
 * and region, known ones or not. Operations check teams in a query or body themselves, with {@link requireTeam}. Parsing
 * rejects malformed ids later, together with all other invalid values.
 * @throws NotFound for another organisation, team, environment or region; Forbidden for an operation of the
 * organisation.
 */
export function requireManagementAccess(contract: EndpointContract, key: KeyRecord, path: object): void {
  const parsed = managementPath.safeParse(path);
  if (!parsed.success) return;
  const { org_id, team_id, ...place } = parsed.data;
  if (managementScopeOf(contract) === "org") requireOrgAdmin(key, org_id);
  else requireOrg(key, org_id);
  const isBound = team_id === undefined || key.kind === "org_admin" || key.team_ids.includes(team_id);
  if (!isBound) throw new NotFound("There is no team with this id.");
  requireServedEnvironment(place);
}

/** Returns the team if the key has access to it. @throws NotFound otherwise. */
export async function requireTeam(teams: TeamStore, key: KeyRecord, orgId: string, teamId: string): Promise<Team> {
  requireOrg(key, orgId);
  const team = await teams.get(teamId);
  const isInScope = key.kind === "org_admin" || key.team_ids.includes(teamId);
  if (team?.org_id !== orgId || !isInScope) throw new NotFound("There is no team with this id.");
  return team;
}

/** @throws NotFound if the path names an environment or region that this deployment does not serve. */
export function requireServedEnvironment(path: { env?: string | undefined; region?: string | undefined }): void {
  const { environment, region } = deployment();
  if ((path.env ?? environment) !== environment || (path.region ?? region) !== region) {
    throw new NotFound("This deployment does not serve that environment and region.");
  }
}

/** Deletes objects one by one. @param reached objects that the key may delete, by id. @returns the outcome per id. */
export async function deleteEach<T>(
  ids: readonly string[],
  reached: ReadonlyMap<string, T>,
  remove: (one: T) => Promise<void>,
  log: Log,
): Promise<z.output<typeof wireBulkDeletion>> {
  const deletions: z.output<typeof wireBulkDeletion> = { success: [], failure: [], not_found: [] };
  for (const id of new Set(ids)) {
    const one = reached.get(id);
    const end =
      one === undefined ? "not_found" : await remove(one).then(() => "success" as const, classifyDeletionFailure(log));
    deletions[end].push(id);
  }
  return deletions;
}

/** Classifies a failed deletion: a concurrent deletion counts as not found. Any other error fails this object only. */
const classifyDeletionFailure =
  (log: Log) =>
  (error: unknown): "not_found" | "failure" => {
    if (error instanceof ConditionFailed) return "not_found";
    log.error("one of several deletions failed", error);
    return "failure";
  };
