import * as z from "zod";
import { type Environment, environments, regions, type Team } from "./records.ts";
import { toWireTeamSettings, wireTeamSettings } from "./team-settings.ts";

/** The organisation's own id of a team. */
export const integrationTeamId = z.string().trim().min(1).max(256);

/** A team in a list. */
export const wireTeamListItem = z
  .object({
    id: z.guid(),
    name: z.string(),
    created_on: z.string(),
    region: z.enum(regions),
    integration_team_id: z.string().nullable(),
  })
  .meta({ id: "TeamListItem" });

/** A team with its settings; null for environments that were not requested or are not served. */
export const wireTeam = wireTeamListItem
  .extend({
    environments: z.array(z.enum(environments)),
    sandbox: wireTeamSettings.nullable(),
    production: wireTeamSettings.nullable(),
  })
  .meta({ id: "Team" });

export const toWireTeamListItem = (team: Team): z.output<typeof wireTeamListItem> => ({
  id: team.team_id,
  name: team.name,
  created_on: team.created_on,
  region: team.region,
  integration_team_id: team.integration_team_id,
});

/**
 * Converts a team to its wire form.
 * @param served environment of the deployment.
 * @param asked environments whose settings to include.
 */
export function toWireTeam(
  team: Team,
  served: Environment,
  asked: readonly Environment[] = environments,
): z.output<typeof wireTeam> {
  const settings = asked.includes(served) ? toWireTeamSettings(team.settings, team.features) : null;
  return { ...toWireTeamListItem(team), environments: [served], sandbox: null, production: null, [served]: settings };
}
