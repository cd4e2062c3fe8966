import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { integrationTeamId, toWireTeam, wireTeam } from "../../lib/domain/management/wire-team.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "resolveTeam",
  method: "POST",
  path: "/v1/org/{org_id}/resolve_team",
  tag: "management",
  summary: "Find a team by its integration id",
  description: [
    "Returns the team that has your own id in `integration_team_id`, with its settings.",
    "Use it to find the `team_id` again that you need for all other calls.",
    "The id must match exactly; an unknown one returns `not_found`.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: noFields,
  body: z.object({ integration_team_id: integrationTeamId }),
  response: wireTeam,
  errors: [NotFound],
  access: [getItem(teams)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams }) => {
  const teamId = await teams.findIdByIntegrationId(params.org_id, body.integration_team_id);
  const team = teamId && (await requireTeam(teams, key, params.org_id, teamId));
  if (!team) throw new NotFound("There is no team with this integration id.");
  return toWireTeam(team, deployment().environment);
});
