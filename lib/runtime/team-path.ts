import * as z from "zod";
import { environments, type KeyRecord } from "../domain/identity.ts";
import type { TeamStore } from "../store/identity.ts";
import { TeamScope } from "../store/team-scope.ts";
import { requireServed, requireTeam } from "./management.ts";

/** Path of what belongs to a team in one environment, on the management API. */
export const teamParams = z.object({
  org_id: z.guid().toLowerCase(),
  team_id: z.guid().toLowerCase(),
  env: z.enum(environments),
});

type Called = { readonly key: KeyRecord; readonly params: z.output<typeof teamParams> };
type CalledAnywhere = { readonly key: KeyRecord; readonly params: Omit<Called["params"], "env"> };

/** The scope of the team that the path names. @throws NotFound unless this deployment serves it and the key reaches it. */
export async function requireTeamScope(teams: TeamStore, { key, params }: Called): Promise<TeamScope> {
  requireServed(params);
  return requireAnyTeamScope(teams, { key, params });
}

/** The scope of the team that a path without environment names. @throws NotFound unless the key reaches it. */
export async function requireAnyTeamScope(teams: TeamStore, { key, params }: CalledAnywhere): Promise<TeamScope> {
  const { team_id } = await requireTeam(teams, key, params.org_id, params.team_id);
  return TeamScope.grant(team_id);
}
