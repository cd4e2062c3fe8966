import * as z from "zod";
import { deleteItem, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { destinations, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

export const contract = endpoint({
  operationId: "deleteTeamEtlPipeline",
  method: "DELETE",
  path: "/v1/org/{org_id}/team_etl_pipelines/{env}/{region}",
  tag: "management",
  summary: "Delete the event destination of a team",
  description: [
    "Deletes the event destination of a team with its credentials.",
    "Later events reach only the webhook endpoints of the team, which stay as they are.",
    "A team without a destination returns `not_found`, so a repeated call does too.",
  ],
  auth: "management",
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({ team_id: z.guid().toLowerCase() }),
  response: z.object({ success: z.literal(true) }).meta({ id: "TeamEtlPipelineDeleted" }),
  errors: [NotFound],
  access: [getItem(teams), deleteItem(destinations)],
});

export const handler = implement(contract, async ({ key, params, query }, { teams, destinations }) => {
  const team = await requireTeam(teams, key, params.org_id, query.team_id);
  await explainConditionFailed(
    destinations.delete(TeamScope.grant(team.team_id)),
    (cause) => new NotFound("The team has no event destination.", { cause }),
  );
  return { success: true } as const;
});
