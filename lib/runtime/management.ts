import type { KeyRecord, Team } from "../domain/identity.ts";
import type { TeamStore } from "../store/identity.ts";
import { deployment } from "./deployment.ts";
import { Forbidden, NotFound } from "./errors.ts";

/** @throws NotFound unless the key belongs to this organisation: another one's looks like an unknown one. */
export function requireOrg(key: KeyRecord, orgId: string): void {
  if (key.org_id !== orgId) throw new NotFound("There is no organization with this id.");
}

/** @throws Forbidden for a key that is scoped to teams: it reaches no resource or action of the organisation. */
export function requireOrgAdmin(key: KeyRecord, orgId: string): void {
  requireOrg(key, orgId);
  if (key.kind !== "org_admin") throw new Forbidden("This needs an organization management key.");
}

/** The team, if the key reaches it. @throws NotFound otherwise. */
export async function requireTeam(teams: TeamStore, key: KeyRecord, orgId: string, teamId: string): Promise<Team> {
  requireOrg(key, orgId);
  const team = await teams.get(teamId);
  const isInScope = key.kind === "org_admin" || key.team_ids.includes(teamId);
  if (team?.org_id !== orgId || !isInScope) throw new NotFound("There is no team with this id.");
  return team;
}

/** @throws NotFound when a path names an environment or region that this deployment does not serve. */
export function requireServed(path: { env?: string; region?: string }): void {
  const { environment, region } = deployment();
  if ((path.env ?? environment) !== environment || (path.region ?? region) !== region) {
    throw new NotFound("This deployment does not serve that environment and region.");
  }
}
