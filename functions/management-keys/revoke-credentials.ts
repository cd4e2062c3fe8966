import * as z from "zod";
import { get, query, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, success } from "../../lib/contract/parts.ts";
import { keys, teams, users } from "../../lib/contract/resources.ts";
import { NotFound, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { requireAnyTeamScope, teamParams } from "../../lib/runtime/team-path.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";
import { listOf } from "../../lib/store/keys.ts";

/**
 * Revokes all links, codes and sessions that an API key issued so far, or that belong to a user. Takes effect within a
 * minute and is permanent. The key and the user stay and may get new credentials.
 */
export const contract = endpoint({
  operationId: "revokeCredentials",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/revoke_credentials",
  tag: "management-keys",
  summary: "Revoke the credentials of an API key or a user",
  auth: "management",
  params: teamParams.omit({ env: true }),
  query: nothing,
  body: z.object({
    api_key_id: z
      .guid()
      .toLowerCase()
      .nullish()
      .meta({ description: "API key of the team whose issued credentials are revoked" }),
    user_id: z.guid().toLowerCase().nullish().meta({ description: "User of the team whose credentials are revoked" }),
  }),
  response: success,
  errors: [NotFound, UserNotFound],
  access: [get(teams), query(keys), update(keys), update(users)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, keys, users, commit }) => {
  const scope = await requireAnyTeamScope(teams, { key, params });
  const { api_key_id, user_id } = body;
  if (!api_key_id && !user_id) throw ValidationFailed.at(["body"], "Specify an API key, a user or both");
  const all = api_key_id ? await keys.listAll(params.org_id, listOf.apiKeysOf(params.team_id)) : [];
  const maker = all.find(({ id }) => id === api_key_id);
  if (api_key_id && !maker) throw new NotFound("There is no API key of this team with this id.");
  const ofUser = user_id ? [users.changeItem(scope, { user_id }, { credentials_revoked_at: isoNow() })] : [];
  const ofKey = maker ? keys.changeItems(maker, { revoked_at: isoNow() }) : [];
  try {
    await commit([...ofUser, ...ofKey]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (user_id && error.items.has(0)) throw new UserNotFound();
    throw new NotFound("There is no API key of this team with this id.", { cause: error });
  }
  return { success: true };
});
