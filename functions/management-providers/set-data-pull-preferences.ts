import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { pullPreferences, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  pullPreferencesDraft,
  toPullPreferences,
  toWirePullPreferences,
  wirePullPreferences,
} from "../../lib/domain/connections/pulls/pull-preferences.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScopes } from "../../lib/services/management/team-scopes.ts";

export const contract = endpoint({
  operationId: "setDataPullPreferences",
  method: "POST",
  path: "/v1/org/{org_id}/team_data_pull_preferences/{env}/{region}",
  tag: "management-providers",
  summary: "Set the data pull preferences of teams",
  description: [
    "Sets how many days of history the service pulls when a user of these teams connects, by provider and resource.",
    "The range is 0 to 365 days, for up to 50 teams in a call.",
    "It replaces all former preferences of each team, and applies to later connections.",
    "A provider that the request omits returns to its default.",
  ],
  auth: "management",
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: noFields,
  body: pullPreferencesDraft,
  response: z
    .object({ data_pull_preferences: z.array(wirePullPreferences) })
    .meta({ id: "TeamDataPullPreferencesSet" }),
  errors: [NotFound],
  access: [getItem(teams), putItem(pullPreferences)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, pullPreferences }) => {
  const scopes = await requireTeamScopes(teams, { key, params }, body.team_ids);
  const all = scopes.map((scope) => [scope, toPullPreferences(body, scope.teamId)] as const);
  await Promise.all(all.map(([scope, one]) => pullPreferences.put(scope, one)));
  return { data_pull_preferences: all.map(([, one]) => toWirePullPreferences(one)) };
});
