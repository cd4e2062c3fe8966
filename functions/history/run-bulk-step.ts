import * as z from "zod";
import { getItem, grants } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { bulkWork } from "../../lib/contract/queues.ts";
import { bulkSteps } from "../../lib/contract/resources.ts";
import { bulkStepRef } from "../../lib/domain/connections/bulk-op.ts";
import { remapStep } from "../../lib/domain/connections/raw-payloads/remap.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { runBulkStep, runBulkStepAccess } from "../../lib/services/connections/bulk/run-bulk-step.ts";
import { runRemapStep, runRemapStepAccess } from "../../lib/services/connections/raw-payloads/run-remap-step.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs a step for one user: imports a connection, starts its history pull, or maps kept payloads of a remap again. */
export const contract = consumer({
  operationId: "runBulkStep",
  tag: "history",
  summary: "Run one step of a bulk operation or of a remap",
  trigger: { kind: "queue", queue: bulkWork, batchSize: 5, maxConcurrency: 20 },
  message: z.union([remapStep, bulkStepRef]),
  access: grants(getItem(bulkSteps), runBulkStepAccess, runRemapStepAccess),
  memoryMb: 1769,
  timeoutS: 600,
});

export const handler = consume(contract, async ({ message, log, isRedelivered }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  if ("remap_id" in message) {
    const { user_id: userId, remap_id: remapId, step } = message;
    return runRemapStep(deps, scope, { userId, remapId, step, isRedelivered }, log);
  }
  const step = await deps.bulkSteps.get(scope, message);
  if (step?.status === "pending") await runBulkStep({ ...deps, demoProviders: loadDemoProviders }, scope, step, log);
});
