import * as z from "zod";
import { environments, type KeyRecord } from "../../domain/management/records.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { requireServedEnvironment, requireTeam } from "./management-access.ts";

/** Path parameters of a team's resources in one environment, on the management API. */
export const teamParams = z.object({
  org_id: z.guid().toLowerCase(),
  team_id: z.guid().toLowerCase(),
  env: z.enum(environments),
});

type TeamRequest = { readonly key: KeyRecord; readonly params: z.output<typeof teamParams> };
type AnyEnvironmentRequest = { readonly key: KeyRecord; readonly params: Omit<TeamRequest["params"], "env"> };

/** Grants the scope of the team in the path. @throws NotFound unless it is served here and the key has access. */
export async function requireTeamScope(teams: TeamStore, { key, params }: TeamRequest): Promise<TeamScope> {
  requireServedEnvironment(params);
  return requireTeamScopeInAnyEnvironment(teams, { key, params });
}

/** Grants the scope of the team in a path without environment. @throws NotFound unless the key has access. */
export async function requireTeamScopeInAnyEnvironment(
  teams: TeamStore,
  { key, params }: AnyEnvironmentRequest,
): Promise<TeamScope> {
  const { team_id } = await requireTeam(teams, key, params.org_id, params.team_id);
  return TeamScope.grant(team_id);
}
