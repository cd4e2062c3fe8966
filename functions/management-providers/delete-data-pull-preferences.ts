import * as z from "zod";
import { deleteItem, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { pullPreferences, teams } from "../../lib/contract/resources.ts";
import { successResponse } from "../../lib/contract/shared-schemas.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScopes } from "../../lib/services/management/team-scopes.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "deleteDataPullPreferences",
  method: "DELETE",
  path: "/v1/org/{org_id}/team_data_pull_preferences/{env}/{region}",
  tag: "management-providers",
  summary: "Delete the data pull preferences of a team",
  description: [
    "Deletes the data pull preferences of a team, so that later connections pull the default history of each provider.",
    "Existing connections and their data stay as they are.",
    "A team without preferences returns `not_found`, so a repeated call does too.",
  ],
  auth: "management",
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({ team_id: z.guid().toLowerCase() }),
  response: successResponse,
  errors: [NotFound],
  access: [getItem(teams), deleteItem(pullPreferences)],
});

export const handler = implement(contract, async ({ key, params, query }, { teams, pullPreferences }) => {
  const scopes = await requireTeamScopes(teams, { key, params }, [query.team_id]);
  await explainConditionFailed(
    Promise.all(scopes.map((scope) => pullPreferences.delete(scope))),
    (cause) => new NotFound("The team has no data pull preferences.", { cause }),
  );
  return { success: true };
});
