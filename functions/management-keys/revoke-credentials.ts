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
 * Ends every link, code and session that an API key has made so far, or that a user has, within a minute and for good.
 * The key and the user stay, and may be given new ones.
 */
export const contract = endpoint({
  operationId: "revokeCredentials",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/revoke_credentials",
  tag: "management-keys",
  summary: "Revoke what an API key has made or a user has",
  auth: "management",
  params: teamParams.omit({ env: true }),
  query: nothing,
  body: z.object({
    api_key_id: z.guid().toLowerCase().nullish().meta({ description: "Ends what this API key of the team has made" }),
    user_id: z.guid().toLowerCase().nullish().meta({ description: "Ends what this user of the team has" }),
  }),
  response: success,
  errors: [NotFound, UserNotFound],
  access: [get(teams), query(keys), update(keys), update(users)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, keys, users, commit }) => {
  const scope = await requireAnyTeamScope(teams, { key, params });
  const { api_key_id, user_id } = body;
  if (!api_key_id && !user_id) throw ValidationFailed.at(["body"], "Name an API key, a user or both");
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
