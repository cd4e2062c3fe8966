import * as z from "zod";
import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { pullPreferences, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import {
  pullPreferencesDraft,
  pullPreferencesOf,
  toWirePullPreferences,
  wirePullPreferences,
} from "../../lib/domain/sources/pull-preferences.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireServed } from "../../lib/runtime/management.ts";
import { requireTeamScopes } from "../../lib/runtime/team-provider-settings.ts";

/**
 * Sets how much history is pulled for users of teams, and replaces former preferences. Applies to later connections.
 */
export const contract = endpoint({
  operationId: "setDataPullPreferences",
  method: "POST",
  path: "/v1/org/{org_id}/team_data_pull_preferences/{env}/{region}",
  tag: "management-providers",
  summary: "Set the data pull preferences of teams",
  auth: "management",
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: nothing,
  body: pullPreferencesDraft,
  response: z
    .object({ data_pull_preferences: z.array(wirePullPreferences) })
    .meta({ id: "TeamDataPullPreferencesSet" }),
  errors: [NotFound],
  access: [get(teams), put(pullPreferences)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, pullPreferences }) => {
  requireServed(params);
  const scopes = await requireTeamScopes(teams, { key, params }, body.team_ids);
  const all = scopes.map((scope) => [scope, pullPreferencesOf(body, scope.teamId)] as const);
  await Promise.all(all.map(([scope, one]) => pullPreferences.set(scope, one)));
  return { data_pull_preferences: all.map(([, one]) => toWirePullPreferences(one)) };
});
