import * as z from "zod";
import { beginWork, outcomeOf, sendSteps } from "../../lib/connections/bulk-work.ts";
import { STEP_MS } from "../../lib/connections/starting-pulls.ts";
import { get, getMany, put, seal, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { bulkWork } from "../../lib/contract/queues.ts";
import { bulkOps, bulkSteps, credentialsKey } from "../../lib/contract/resources.ts";
import { MOST_USERS, stepContext, waitForCompletion } from "../../lib/domain/linking/bulk-op.ts";
import { connectionRecipe } from "../../lib/domain/linking/connection-recipe.ts";
import { oauthProvider } from "../../lib/domain/sources/providers.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { inParallel } from "../../lib/runtime/storing.ts";

/**
 * Connects many users with grants that they gave elsewhere to the same provider app. For a repeated user, the last
 * entry counts.
 */
export const contract = endpoint({
  operationId: "bulkImport",
  method: "POST",
  path: "/v2/link/bulk_import",
  tag: "link",
  summary: "Import connections",
  auth: "team",
  params: nothing,
  query: nothing,
  body: z.object({
    provider: oauthProvider,
    connections: z.array(connectionRecipe).min(1).max(MOST_USERS),
    wait_for_completion: waitForCompletion,
  }),
  response: z
    .object({ user_ids_imported: z.array(z.guid()), user_ids_failed: z.array(z.guid()) })
    .meta({ id: "BulkImport" }),
  maxBodyBytes: 5_242_880,
  access: [
    put(bulkOps),
    get(bulkOps),
    put(bulkSteps),
    getMany(bulkSteps),
    seal(credentialsKey, "bulk_import"),
    send(bulkWork),
  ],
});

export const handler = implement(contract, async ({ scope, body }, uses) => {
  const { provider, wait_for_completion } = body;
  const recipes = [...new Map(body.connections.map((recipe) => [recipe.user_id, recipe])).values()];
  // The sweeper starts each step that is still pending by then.
  const due_at = new Date(ports().clock.now() + STEP_MS).toISOString();
  const newSteps = await inParallel(recipes, async (recipe) => {
    const { user_id } = recipe;
    const context = stepContext({ team_id: scope.teamId, user_id, provider });
    return { user_id, due_at, sealed: await uses.credentials.seal(JSON.stringify(recipe), context) };
  });
  const { op, steps } = await beginWork(uses, scope, { type: "link_bulk_import", provider }, newSteps);
  await sendSteps(uses, steps);
  const userIds = recipes.map(({ user_id }) => user_id);
  const outcome = wait_for_completion ? await outcomeOf(uses, scope, op, userIds) : undefined;
  if (!outcome) return new Answer("", { status: 202 });
  return { user_ids_imported: outcome.succeeded, user_ids_failed: outcome.failed };
});
