import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys, teams, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { generateApiKey } from "../../lib/crypto/api-key.ts";
import { environments } from "../../lib/domain/management/records.ts";
import { scopesDraft, toStoredScopes } from "../../lib/domain/management/wire-key.ts";
import { requireServedEnvironment } from "../../lib/runtime/callers/management-access.ts";
import { requireTeamScopeInAnyEnvironment } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

/** Lifetime of an access token that the request does not set. */
const DEFAULT_LIFETIME_S = 600;
/** Shortest and longest lifetime. */
const [MIN_LIFETIME_S, MAX_LIFETIME_S] = [60, 86_400];

/** The token is opaque and stored as a hash, as each key. So no signing key needs rotation. */
export const contract = endpoint({
  operationId: "createApiAccessToken",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/create_api_access_token",
  aliases: ["/v1/org/{org_id}/team/{team_id}/create_access_token"],
  tag: "management-keys",
  summary: "Create an access token of a team",
  description: [
    "Creates a token of a team for the main API that is valid for `expires_in` seconds, by default 600.",
    "Send it as `Authorization: Bearer`. Use it where no long-lived API key may be stored.",
    "The token ends earlier if the management key that created it or the team is deleted.",
    "Links and sessions that it creates end with it: sign in phones with an API key instead.",
    "With `user_id`, the token reads the data of this user alone, by the tools of agents (`POST /mcp`) and their routes.",
    "It ends with the credentials of the user, and all other users read as unknown.",
    "Without `scopes`, the token has full access. Only this response contains it, and each call creates another one.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  body: z.object({
    env: z.enum(environments).describe("Environment of the deployment"),
    scopes: scopesDraft.nullish(),
    user_id: z.guid().toLowerCase().nullish().describe("The only user whose data the token reads"),
    expires_in: z
      .int()
      .min(MIN_LIFETIME_S)
      .max(MAX_LIFETIME_S)
      .nullish()
      .describe("Lifetime in seconds, by default 600"),
  }),
  response: z.object({ access_token: z.string(), expires_in: z.int() }).meta({ id: "AccessToken" }),
  errors: [NotFound, UserNotFound],
  access: [getItem(teams), getItem(users), putItem(keys)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, keys, users, commit }) => {
  requireServedEnvironment(body);
  const scope = await requireTeamScopeInAnyEnvironment(teams, { key, params });
  const { user_id, scopes, expires_in } = body;
  if (user_id && !(await users.get(scope, user_id))) throw new UserNotFound();
  const { key: access_token, ...kept } = generateApiKey("at", ports().ids.bytes);
  const lifetimeS = expires_in ?? DEFAULT_LIFETIME_S;
  const expires_at = Math.floor(ports().clock.now() / 1000) + lifetimeS;
  const about = { kind: "access_token" as const, label: "", created_at: isoNow() };
  const owner = { org_id: params.org_id, team_ids: [scope.teamId] };
  const limits = { expires_at, ...toStoredScopes(scopes), ...(user_id ? { user_id } : {}) };
  await commit(keys.createItems({ ...kept, ...about, ...owner, made_by: key.key_id, ...limits }));
  return { access_token, expires_in: lifetimeS };
});
