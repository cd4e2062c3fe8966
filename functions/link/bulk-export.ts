import * as z from "zod";
import { recipeOf } from "../../lib/connections/exporting-recipes.ts";
import { get, getMany, open, put, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { auditLog, connectionCredentials, credentialsKey, users } from "../../lib/contract/resources.ts";
import { bulkTarget, MOST_USERS } from "../../lib/domain/linking/bulk-op.ts";
import { connectionRecipe } from "../../lib/domain/linking/connection-recipe.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { userPage } from "../../lib/runtime/linking/user-page.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { inParallel } from "../../lib/runtime/storing.ts";

/** Maximum number of connections in one response. */
const PAGE = 50;

/**
 * Returns connections with their current credentials, for a team that moves to another service. The audit log records
 * each page before a credential is decrypted.
 */
export const contract = endpoint({
  operationId: "bulkExport",
  method: "POST",
  path: "/v2/link/bulk_export",
  tag: "link",
  summary: "Export connections with their credentials",
  auth: "team",
  feature: "bulk_export",
  params: nothing,
  query: nothing,
  body: z.object({
    provider: bulkTarget.shape.provider,
    user_ids: z.array(z.guid().toLowerCase()).max(MOST_USERS).nullish(),
    next_token: z.string().max(2_000).nullish(),
  }),
  response: z.object({ data: z.array(connectionRecipe), next_token: z.string().nullable() }).meta({ id: "BulkExport" }),
  access: [
    ...([query(users, "team_users"), getMany(users), get(connectionCredentials)] as const),
    ...([open(credentialsKey, "connection"), put(auditLog)] as const),
  ],
});

export const handler = implement(contract, async ({ scope, team, keyId, requestId, body, pages }, uses) => {
  const { provider, user_ids, next_token } = body;
  const { found, next_cursor } = await userPage(uses.users, scope, {
    userIds: user_ids ?? undefined,
    matches: ({ connections }) => connections[provider] !== undefined,
    size: PAGE,
    cursor: next_token,
    at: ["body", "next_token"],
    pages,
  });
  const about = { id: requestId, at: isoNow(), key_id: keyId, operation: contract.operationId, status: 200 };
  await uses.auditLog.record(team.org_id, { ...about, target: { team_id: team.team_id, provider } });
  const recipes = await inParallel(found, (user) => recipeOf(uses, scope, user, provider));
  const data = recipes.filter((recipe) => recipe !== undefined);
  return new Answer(JSON.stringify({ data, next_token: next_cursor }), { headers: { "cache-control": "no-store" } });
});
