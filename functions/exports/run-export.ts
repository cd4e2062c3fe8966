import { grants, putItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { exportRuns } from "../../lib/contract/queues.ts";
import { accessLog } from "../../lib/contract/resources.ts";
import { exportMessage, MAX_EXPORT_RUN_S } from "../../lib/domain/exports/export-job.ts";
import { recordServiceAccess } from "../../lib/runtime/audit/record-service-access.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { PermanentError } from "../../lib/runtime/errors.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { exportUser, exportUserAccess, failExport } from "../../lib/services/exports/export-user.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Writes the file of an export. A lease admits one run at a time. After the lease of a stopped run ends, the repeated
 * message or a repeated request starts the next run. An error marks the export as failed.
 */
export const contract = consumer({
  operationId: "runExport",
  tag: "exports",
  summary: "Run an export",
  trigger: { kind: "queue", queue: exportRuns, batchSize: 1, maxConcurrency: 10 },
  message: exportMessage,
  access: grants(exportUserAccess, putItem(accessLog)),
  memoryMb: 1769,
  timeoutS: MAX_EXPORT_RUN_S,
});

/** Maximum number of runs of one export. */
const MAX_ATTEMPTS = 3;

export const handler = consume(contract, async ({ message }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  const job = await deps.exportJobs.claim(scope, message.user_id, message.export_id, ports().clock.now());
  if (!job) return;
  try {
    if (job.attempts > MAX_ATTEMPTS) throw new Error("every run of the export stopped before its end");
    const { user_id, export_id } = message;
    const about = { operation: contract.operationId, id: `${export_id}/${job.attempts}`, userId: user_id };
    await recordServiceAccess(deps.accessLog, scope, { ...about, target: { export_id } });
    await exportUser(deps, scope, job);
  } catch (cause) {
    await failExport(deps, scope, job);
    throw new PermanentError("the export failed", { cause });
  }
});
