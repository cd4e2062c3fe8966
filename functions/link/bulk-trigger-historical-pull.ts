import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { bulkTarget, waitForCompletion } from "../../lib/domain/connections/bulk-op.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import {
  awaitBulkOutcome,
  startBulkOperation,
  startBulkOperationAccess,
} from "../../lib/services/connections/bulk/start-bulk-operation.ts";
import { dispatchDueSteps, dispatchDueStepsAccess } from "../../lib/services/connections/pulls/dispatch-due-polls.ts";

export const contract = endpoint({
  operationId: "bulkTriggerHistoricalPull",
  method: "POST",
  path: "/v2/link/bulk_trigger_historical_pull",
  tag: "link",
  summary: "Pull the histories of connections",
  description: [
    "Pulls the history of up to 500 connections again, as fast as the provider's limit allows.",
    "Call it after an import, or to repeat histories; a history in progress continues as it is.",
    "The answer is 202 at once; with `wait_for_completion` it is 200 if all pulls have begun within 20 seconds.",
    "The operation ends when each pull has begun; `GET /v2/introspect/historical_pull` shows how far they are.",
    "Each completed history sends `historical.data.<resource>.created`.",
    "Users without a working connection to the provider appear in `user_ids_failed`.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: bulkTarget.extend({ wait_for_completion: waitForCompletion }),
  response: z
    .object({ user_ids_started: z.array(z.guid()), user_ids_failed: z.array(z.guid()) })
    .meta({ id: "BulkHistoricalPull" }),
  access: [...startBulkOperationAccess, ...dispatchDueStepsAccess],
});

export const handler = implement(contract, async ({ scope, body }, deps) => {
  const { provider, wait_for_completion } = body;
  const userIds = [...new Set(body.user_ids)];
  const due_at = isoNow();
  const newSteps = userIds.map((user_id) => ({ user_id, due_at }));
  const { op, steps } = await startBulkOperation(
    deps,
    scope,
    { type: "link_bulk_historical_trigger", provider },
    newSteps,
  );
  await dispatchDueSteps(deps, steps, () => scope);
  const outcome = wait_for_completion ? await awaitBulkOutcome(deps, scope, op, userIds) : undefined;
  if (!outcome) return new Answer("", { status: 202 });
  return { user_ids_started: outcome.succeeded, user_ids_failed: outcome.failed };
});
