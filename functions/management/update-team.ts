import * as z from "zod";
import { deleteItem, getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { teamName } from "../../lib/domain/management/records.ts";
import { teamSettingsPatch } from "../../lib/domain/management/team-settings.ts";
import { integrationTeamId, toWireTeam, wireTeam } from "../../lib/domain/management/wire-team.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { applyTeamChange, changeTeam, requireServedSettings } from "../../lib/services/management/change-team.ts";

export const contract = endpoint({
  operationId: "updateTeam",
  method: "PATCH",
  path: "/v1/org/{org_id}/team/{team_id}",
  tag: "management",
  summary: "Update a team",
  description: [
    "Changes the name, the `integration_team_id` and the settings of a team; absent fields stay as they are.",
    "Null clears the `integration_team_id` and text settings, and leaves every other setting unchanged.",
    "`features` replaces the whole list. The main API applies changes within a minute.",
    "Settings of the environment that the deployment does not serve return 422.",
    "An `integration_team_id` of another team returns `conflict`, with its `team_id` if the key has access to it.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  body: z.object({
    name: teamName.nullish(),
    integration_team_id: integrationTeamId.nullish().meta({ description: "null removes the id" }),
    sandbox: teamSettingsPatch.nullish(),
    production: teamSettingsPatch.nullish(),
  }),
  response: wireTeam,
  errors: [NotFound, Conflict],
  access: [getItem(teams), putItem(teams), deleteItem(teams)],
});

export const handler = implement(contract, async ({ key, params, body }, deps) => {
  requireServedSettings(body);
  const { environment } = deployment();
  const { name, integration_team_id } = body;
  const change = { name, integration_team_id, settings: body[environment] };
  const team = await changeTeam(
    deps,
    key,
    () => requireTeam(deps.teams, key, params.org_id, params.team_id),
    (before) => applyTeamChange(before, change, [environment]),
  );
  return toWireTeam(team, environment);
});
