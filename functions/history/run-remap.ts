import { consumer } from "../../lib/contract/consumer.ts";
import { remapSteps } from "../../lib/contract/queues.ts";
import { remapStep } from "../../lib/domain/connections/raw-payloads/remap.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { runRemapStep, runRemapStepAccess } from "../../lib/services/connections/raw-payloads/run-remap-step.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Maps some kept payloads of a remap again. */
export const contract = consumer({
  operationId: "runRemap",
  tag: "history",
  summary: "Run one step of a remap",
  trigger: { kind: "queue", queue: remapSteps, batchSize: 1, maxConcurrency: 10 },
  message: remapStep,
  access: runRemapStepAccess,
  memoryMb: 1769,
  timeoutS: 120,
});

export const handler = consume(contract, async ({ message, log, isRedelivered }, deps) => {
  const { team_id, user_id: userId, remap_id: remapId, step } = message;
  await runRemapStep(deps, TeamScope.grant(team_id), { userId, remapId, step, isRedelivered }, log);
});
