import * as z from "zod";
import { batchGetItem, decryptDataKey, getItem, putItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { auditLog, connectionCredentials, credentialsKey, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { bulkTarget, MAX_USERS_PER_BULK_OP } from "../../lib/domain/connections/bulk-op.ts";
import { connectionRecipe } from "../../lib/domain/connections/connection-recipe.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { inParallel } from "../../lib/runtime/in-parallel.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { exportRecipe } from "../../lib/services/connections/bulk/export-recipe.ts";
import { readUserPage } from "../../lib/services/connections/user-page.ts";

/** Maximum number of connections in one response. */
const PAGE = 50;

export const contract = endpoint({
  operationId: "bulkExport",
  method: "POST",
  path: "/v2/link/bulk_export",
  tag: "link",
  summary: "Export connections with their credentials",
  description: [
    "Returns connections with their live credentials, for a move to another service.",
    "It needs the team feature `bulk_export`; without it the answer is `forbidden`.",
    "A page examines 50 connections in the order of user ids; repeat with `next_token` until it is null.",
    "Demo connections and connections without credentials are missing, so a page may be shorter.",
    "The audit log records each page before the service decrypts a credential.",
    "The service does not renew access first, so an access token may have expired.",
  ],
  auth: "team",
  feature: "bulk_export",
  params: noFields,
  query: noFields,
  body: z.object({
    provider: bulkTarget.shape.provider,
    user_ids: z
      .array(z.guid().toLowerCase())
      .max(MAX_USERS_PER_BULK_OP)
      .nullish()
      .describe("All users of the team without it"),
    next_token: z.string().max(2_000).nullish().describe("Cursor of the page to return"),
  }),
  response: z.object({ data: z.array(connectionRecipe), next_token: z.string().nullable() }).meta({ id: "BulkExport" }),
  access: [
    queryItems(users, "team_users"),
    batchGetItem(users),
    getItem(connectionCredentials),
    decryptDataKey(credentialsKey, "connection"),
    putItem(auditLog),
  ],
});

export const handler = implement(
  contract,
  async ({ scope, team, keyId, consoleSession, requestId, body, pages }, deps) => {
    const { provider, user_ids, next_token } = body;
    const { found, next_cursor } = await readUserPage(deps.users, scope, {
      userIds: user_ids ?? undefined,
      matches: ({ connections }) => connections[provider] !== undefined,
      size: PAGE,
      cursor: next_token,
      at: ["body", "next_token"],
      pages,
    });
    const person = { session_id: consoleSession?.session_id ?? null, actor: consoleSession?.name ?? null };
    const about = { id: requestId, at: isoNow(), key_id: keyId, ...person, operation: contract.operationId };
    await deps.auditLog.record(team.org_id, { ...about, target: { team_id: team.team_id, provider }, status: 200 });
    const recipes = await inParallel(found, (user) => exportRecipe(deps, scope, user, provider));
    const data = recipes.filter((recipe) => recipe !== undefined);
    return new Answer(JSON.stringify({ data, next_token: next_cursor }), { headers: { "cache-control": "no-store" } });
  },
);
