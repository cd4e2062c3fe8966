import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { pullPreferences, teams } from "../../lib/contract/resources.ts";
import { toWirePullPreferences, wirePullPreferences } from "../../lib/domain/connections/pulls/pull-preferences.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listTeamScopes } from "../../lib/services/management/team-scopes.ts";

export const contract = endpoint({
  operationId: "listDataPullPreferences",
  method: "GET",
  path: "/v1/org/{org_id}/team_data_pull_preferences/{env}/{region}",
  tag: "management-providers",
  summary: "List the data pull preferences of teams",
  description: [
    "Lists the data pull preferences of the organisation's teams, with 100 teams in a page.",
    "Teams without preferences are left out, so a page may be short or empty while `next_cursor` is set.",
    "`historical_days_to_pull_limit` is the maximum that you can set.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({ next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page") }),
  response: z
    .object({ data_pull_preferences: z.array(wirePullPreferences), next_cursor: z.string().nullable() })
    .meta({ id: "TeamDataPullPreferencesPage" }),
  errors: [NotFound],
  access: [queryItems(teams), batchGetItem(pullPreferences)],
});

export const handler = implement(contract, async ({ params, query, pages }, { teams, pullPreferences }) => {
  const { scopes, next_cursor } = await listTeamScopes(teams, params.org_id, query.next_cursor, pages);
  const found = await pullPreferences.getMany(scopes);
  const inOrder = scopes.flatMap(({ teamId }) => found.find(({ team_id }) => team_id === teamId) ?? []);
  return { data_pull_preferences: inOrder.map(toWirePullPreferences), next_cursor };
});
