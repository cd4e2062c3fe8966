import * as z from "zod";
import { generateDataKey, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { bulkWork } from "../../lib/contract/queues.ts";
import { credentialsKey } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  bulkStepEncryptionContext,
  MAX_USERS_PER_BULK_OP,
  waitForCompletion,
} from "../../lib/domain/connections/bulk-op.ts";
import { connectionRecipe } from "../../lib/domain/connections/connection-recipe.ts";
import { oauthProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { inParallel } from "../../lib/runtime/in-parallel.ts";
import { ports } from "../../lib/runtime/ports.ts";
import {
  awaitBulkOutcome,
  enqueueBulkSteps,
  startBulkOperation,
  startBulkOperationAccess,
} from "../../lib/services/connections/bulk/start-bulk-operation.ts";
import { RESEND_MS } from "../../lib/services/connections/pulls/dispatch-due-polls.ts";

export const contract = endpoint({
  operationId: "bulkImport",
  method: "POST",
  path: "/v2/link/bulk_import",
  tag: "link",
  summary: "Import connections",
  description: [
    "Connects up to 500 users with access that they granted elsewhere to the same application at the provider.",
    "The answer is 202 at once; with `wait_for_completion` it is 200 if all users are done within 20 seconds.",
    "`GET /v2/link/bulk_op` shows the progress; each connection sends `provider.connection.created`.",
    "It pulls no history: call `POST /v2/link/bulk_trigger_historical_pull` for that.",
    "Of several entries for one user, the last counts.",
    "Unknown users, and accounts of another user if your team rejects duplicates, appear in `user_ids_failed`.",
    "A request holds at most 5 MB.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({
    provider: oauthProvider,
    connections: z.array(connectionRecipe).min(1).max(MAX_USERS_PER_BULK_OP),
    wait_for_completion: waitForCompletion,
  }),
  userParameters: { connections: "any" },
  response: z
    .object({ user_ids_imported: z.array(z.guid()), user_ids_failed: z.array(z.guid()) })
    .meta({ id: "BulkImport" }),
  maxBodyBytes: 5_242_880,
  access: [...startBulkOperationAccess, generateDataKey(credentialsKey, "bulk_import"), sendMessage(bulkWork)],
});

export const handler = implement(contract, async ({ scope, body }, deps) => {
  const { provider, wait_for_completion } = body;
  const recipes = [...new Map(body.connections.map((recipe) => [recipe.user_id, recipe])).values()];
  // The sweeper starts each step that is still pending by then.
  const due_at = new Date(ports().clock.now() + RESEND_MS).toISOString();
  const newSteps = await inParallel(recipes, async (recipe) => {
    const { user_id } = recipe;
    const context = bulkStepEncryptionContext({ team_id: scope.teamId, user_id, provider });
    return { user_id, due_at, sealed: await deps.credentials.encrypt(JSON.stringify(recipe), context) };
  });
  const { op, steps } = await startBulkOperation(deps, scope, { type: "link_bulk_import", provider }, newSteps);
  await enqueueBulkSteps(deps, steps);
  const userIds = recipes.map(({ user_id }) => user_id);
  const outcome = wait_for_completion ? await awaitBulkOutcome(deps, scope, op, userIds) : undefined;
  if (!outcome) return new Answer("", { status: 202 });
  return { user_ids_imported: outcome.succeeded, user_ids_failed: outcome.failed };
});
