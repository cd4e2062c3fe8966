import * as z from "zod";
import { beginWork, outcomeOf } from "../../lib/connections/bulk-work.ts";
import { startSteps } from "../../lib/connections/starting-pulls.ts";
import { get, getMany, put, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { bulkWork } from "../../lib/contract/queues.ts";
import { bulkOps, bulkSteps, throttles } from "../../lib/contract/resources.ts";
import { bulkTarget, waitForCompletion } from "../../lib/domain/linking/bulk-op.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";

/**
 * Starts the history pulls of many connections, as fast as the provider's rate limit allows. Running pulls continue.
 * The operation is complete when each pull has started; introspection shows the progress of each pull.
 */
export const contract = endpoint({
  operationId: "bulkTriggerHistoricalPull",
  method: "POST",
  path: "/v2/link/bulk_trigger_historical_pull",
  tag: "link",
  summary: "Pull the histories of connections",
  auth: "team",
  params: nothing,
  query: nothing,
  body: bulkTarget.extend({ wait_for_completion: waitForCompletion }),
  response: z
    .object({ user_ids_started: z.array(z.guid()), user_ids_failed: z.array(z.guid()) })
    .meta({ id: "BulkHistoricalPull" }),
  access: [
    ...([put(bulkOps), get(bulkOps), put(bulkSteps), getMany(bulkSteps), update(bulkSteps)] as const),
    ...([update(throttles), send(bulkWork)] as const),
  ],
});

export const handler = implement(contract, async ({ scope, body }, uses) => {
  const { provider, wait_for_completion } = body;
  const userIds = [...new Set(body.user_ids)];
  const due_at = isoNow();
  const newSteps = userIds.map((user_id) => ({ user_id, due_at }));
  const { op, steps } = await beginWork(uses, scope, { type: "link_bulk_historical_trigger", provider }, newSteps);
  await startSteps(uses, steps, () => scope);
  const outcome = wait_for_completion ? await outcomeOf(uses, scope, op, userIds) : undefined;
  if (!outcome) return new Answer("", { status: 202 });
  return { user_ids_started: outcome.succeeded, user_ids_failed: outcome.failed };
});
