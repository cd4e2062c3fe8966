import { getItem, grants } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { bulkWork } from "../../lib/contract/queues.ts";
import { bulkSteps } from "../../lib/contract/resources.ts";
import { bulkStepRef } from "../../lib/domain/connections/bulk-op.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { runBulkStep, runBulkStepAccess } from "../../lib/services/connections/bulk/run-bulk-step.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs a bulk operation's step for one user: imports a connection, or starts its history pull. */
export const contract = consumer({
  operationId: "runBulkStep",
  tag: "history",
  summary: "Run one step of a bulk operation",
  trigger: { kind: "queue", queue: bulkWork, batchSize: 10, maxConcurrency: 10 },
  message: bulkStepRef,
  access: grants(getItem(bulkSteps), runBulkStepAccess),
  timeoutS: 60,
});

export const handler = consume(contract, async ({ message }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  const step = await deps.bulkSteps.get(scope, message);
  if (step?.status === "pending") await runBulkStep(deps, scope, step);
});
