import * as z from "zod";
import { getItem, queryItems, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys, teams, users } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { requireTeamScopeInAnyEnvironment, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";
import { keyListPrefixes } from "../../lib/store/management/keys.ts";

export const contract = endpoint({
  operationId: "revokeCredentials",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/revoke_credentials",
  tag: "management-keys",
  summary: "Revoke the credentials of an API key or a user",
  description: [
    "Revokes all links, codes and sessions that an API key has created so far, or that belong to a user, or both.",
    "It takes effect within a minute and is permanent. The key and the user stay, and can get new credentials.",
    "Call it when a phone is lost or a link leaked; after a leak of the key itself, delete the key instead.",
    "Connections to providers stay. Credentials created after the call are not affected.",
    "An unknown key returns `not_found`, and an unknown user `user_not_found`; nothing is revoked then.",
  ],
  auth: "management",
  params: teamParams.omit({ env: true }),
  query: noFields,
  body: z.object({
    api_key_id: z
      .guid()
      .toLowerCase()
      .nullish()
      .meta({ description: "API key of the team whose issued credentials are revoked" }),
    user_id: z.guid().toLowerCase().nullish().meta({ description: "User of the team whose credentials are revoked" }),
  }),
  response: successResponse,
  errors: [NotFound, UserNotFound],
  access: [getItem(teams), queryItems(keys), updateItem(keys), updateItem(users)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, keys, users, commit }) => {
  const scope = await requireTeamScopeInAnyEnvironment(teams, { key, params });
  const { api_key_id, user_id } = body;
  if (!api_key_id && !user_id) throw ValidationFailed.at(["body"], "Specify an API key, a user or both");
  const all = api_key_id ? await keys.listAll(params.org_id, keyListPrefixes.apiKeysOf(params.team_id)) : [];
  const issuingKey = all.find(({ id }) => id === api_key_id);
  if (api_key_id && !issuingKey) throw new NotFound("There is no API key of this team with this id.");
  const ofUser = user_id ? [users.updateItem(scope, { user_id }, { credentials_revoked_at: isoNow() })] : [];
  const ofKey = issuingKey ? keys.updateItems(issuingKey, { revoked_at: isoNow() }) : [];
  await explainConditionFailed(commit([...ofUser, ...ofKey]), (cause) =>
    user_id && cause.items.has(0)
      ? new UserNotFound()
      : new NotFound("There is no API key of this team with this id.", { cause }),
  );
  return { success: true };
});
