import * as z from "zod";
import { environments, type KeyRecord } from "../domain/identity.ts";
import type { TeamStore } from "../store/identity.ts";
import { TeamScope } from "../store/team-scope.ts";
import { requireServed, requireTeam } from "./management.ts";

/** Path parameters of a team's resources in one environment, on the management API. */
export const teamParams = z.object({
  org_id: z.guid().toLowerCase(),
  team_id: z.guid().toLowerCase(),
  env: z.enum(environments),
});

type Called = { readonly key: KeyRecord; readonly params: z.output<typeof teamParams> };
type CalledAnywhere = { readonly key: KeyRecord; readonly params: Omit<Called["params"], "env"> };

/** Grants the scope of the team in the path. @throws NotFound unless it is served here and the key has access. */
export async function requireTeamScope(teams: TeamStore, { key, params }: Called): Promise<TeamScope> {
  requireServed(params);
  return requireAnyTeamScope(teams, { key, params });
}

/** Grants the scope of the team in a path without environment. @throws NotFound unless the key has access. */
export async function requireAnyTeamScope(teams: TeamStore, { key, params }: CalledAnywhere): Promise<TeamScope> {
  const { team_id } = await requireTeam(teams, key, params.org_id, params.team_id);
  return TeamScope.grant(team_id);
}
