import * as z from "zod";
import { putItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { quotas, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { regions, teamName } from "../../lib/domain/management/records.ts";
import { teamSettingsPatch } from "../../lib/domain/management/team-settings.ts";
import { integrationTeamId, toWireTeam, wireTeam } from "../../lib/domain/management/wire-team.ts";
import { deployment, maxTeamsPerOrg } from "../../lib/runtime/deployment.ts";
import { Conflict, Forbidden, NotFound, QuotaReached, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import {
  applyTeamChange,
  createBlankTeam,
  refuseTakenIntegrationId,
} from "../../lib/services/management/change-team.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/**
 * The service generates the id. An id that callers choose could equal that of another organisation's team, current or
 * erased, whose logs and certificates stay under that id.
 */
export const contract = endpoint({
  operationId: "createTeam",
  method: "POST",
  path: "/v1/org/{org_id}/team",
  tag: "management",
  summary: "Create a team",
  description: [
    "Creates a team of the organisation in the region of this deployment, with default settings for all that you omit.",
    "The service assigns the id. Your own `id` becomes `integration_team_id`, unless that field is given too.",
    "Features are off unless `features` names them, and the team has no API key yet.",
    "A repeated call creates a second team, unless an `integration_team_id` prevents it.",
    "An `integration_team_id` of another team returns `conflict` with the `team_id` of that team.",
    "Another `region` returns 422. A deployment may limit the number of teams, and then returns `quota_reached`.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: noFields,
  body: teamSettingsPatch.extend({
    name: teamName,
    region: z.enum(regions).describe("Region of the deployment"),
    id: z
      .guid()
      .toLowerCase()
      .nullish()
      .describe("Your own id for the team. Stored as integration_team_id if that field is absent"),
    integration_team_id: integrationTeamId.nullish(),
  }),
  response: wireTeam,
  errors: [Forbidden, NotFound, Conflict, QuotaReached],
  access: [putItem(teams), updateItem(quotas)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, quotas, commit }) => {
  const { environment, region } = deployment();
  const { name, id, integration_team_id = id, region: requestedRegion, ...settings } = body;
  if (requestedRegion !== region)
    throw ValidationFailed.at(["body", "region"], "This deployment serves another region");
  const made = { team_id: ports().ids.uuid(), created_on: isoNow() };
  const blank = createBlankTeam({ ...made, org_id: params.org_id, name, region });
  const team = applyTeamChange(blank, { integration_team_id: integration_team_id ?? null, settings }, []);
  const teamLimit = maxTeamsPerOrg();
  const items = teams.createItems(teamLimit === undefined ? team : { ...team, is_counted: true });
  const place = teamLimit === undefined ? [] : [quotas.reserveTeamItem(params.org_id, teamLimit)];
  try {
    await commit([...items, ...place]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.items.has(items.length)) throw new QuotaReached(`An organization may have at most ${teamLimit} teams.`);
    refuseTakenIntegrationId(error.items.get(2), key);
  }
  return toWireTeam(team, environment);
});
