import * as z from "zod";
import { get, remove } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { success } from "../../lib/contract/parts.ts";
import { pullPreferences, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireServed } from "../../lib/runtime/management.ts";
import { requireTeamScopes } from "../../lib/runtime/team-provider-settings.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Deletes the data pull preferences of a team. History pulls return to the connectors' defaults. */
export const contract = endpoint({
  operationId: "deleteDataPullPreferences",
  method: "DELETE",
  path: "/v1/org/{org_id}/team_data_pull_preferences/{env}/{region}",
  tag: "management-providers",
  summary: "Delete the data pull preferences of a team",
  auth: "management",
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: z.object({ team_id: z.guid().toLowerCase() }),
  response: success,
  errors: [NotFound],
  access: [get(teams), remove(pullPreferences)],
});

export const handler = implement(contract, async ({ key, params, query }, { teams, pullPreferences }) => {
  requireServed(params);
  const scopes = await requireTeamScopes(teams, { key, params }, [query.team_id]);
  try {
    await Promise.all(scopes.map((scope) => pullPreferences.remove(scope)));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new NotFound("The team has no data pull preferences.", { cause: error });
  }
  return { success: true };
});
