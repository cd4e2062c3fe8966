import * as z from "zod";
import { get, put, remove } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams } from "../../lib/contract/resources.ts";
import { teamName } from "../../lib/domain/identity.ts";
import { teamSettingsPatch } from "../../lib/domain/team-settings.ts";
import { integrationTeamId, toWireTeam, wireTeam } from "../../lib/domain/wire-team.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeam } from "../../lib/runtime/management.ts";
import { changedTeam, changeTeam, requireServedSettings } from "../../lib/runtime/team-changes.ts";

/** Changes the name, the integration id and the settings of a team. The main API applies the change within a minute. */
export const contract = endpoint({
  operationId: "updateTeam",
  method: "PATCH",
  path: "/v1/org/{org_id}/team/{team_id}",
  tag: "management",
  summary: "Update a team",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: nothing,
  body: z.object({
    name: teamName.nullish(),
    integration_team_id: integrationTeamId.nullish().meta({ description: "null removes the id" }),
    sandbox: teamSettingsPatch.nullish(),
    production: teamSettingsPatch.nullish(),
  }),
  response: wireTeam,
  errors: [NotFound, Conflict],
  access: [get(teams), put(teams), remove(teams)],
});

export const handler = implement(contract, async ({ key, params, body }, uses) => {
  requireServedSettings(body);
  const { environment } = deployment();
  const { name, integration_team_id } = body;
  const change = { name, integration_team_id, settings: body[environment] };
  const team = await changeTeam(
    uses,
    key,
    () => requireTeam(uses.teams, key, params.org_id, params.team_id),
    (before) => changedTeam(before, change, [environment]),
  );
  return toWireTeam(team, environment);
});
