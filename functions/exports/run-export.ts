import * as z from "zod";
import { grants, putItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { exportRuns } from "../../lib/contract/queues.ts";
import { accessLog } from "../../lib/contract/resources.ts";
import { type ExportMessage, exportMessage, MAX_EXPORT_RUN_S } from "../../lib/domain/exports/export-job.ts";
import { bulkExportMessage } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { recordServiceAccess } from "../../lib/runtime/audit/record-service-access.ts";
import { consume } from "../../lib/runtime/consume.ts";
import type { GrantedDependencies } from "../../lib/runtime/dependencies.ts";
import { PermanentError } from "../../lib/runtime/errors.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { exportUser, exportUserAccess, failExport } from "../../lib/services/exports/export-user.ts";
import { runBulkExport, runBulkExportAccess } from "../../lib/services/fhir/bulk/run-bulk-export.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Writes the file of a user's export, or runs one bounded step of a bulk export and schedules the next one. The step
 * after a cancellation deletes the files of its bulk export. A queue costs its polls even when it is empty, so both
 * kinds share one.
 */
export const contract = consumer({
  operationId: "runExport",
  tag: "exports",
  summary: "Run an export of a user, or a step of a bulk export",
  trigger: { kind: "queue", queue: exportRuns, batchSize: 1, maxConcurrency: 20 },
  message: z.union([exportMessage, bulkExportMessage]),
  access: grants(exportUserAccess, runBulkExportAccess, putItem(accessLog)),
  memoryMb: 1769,
  timeoutS: MAX_EXPORT_RUN_S,
});

export const handler = consume(contract, ({ message }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  return "user_id" in message ? runUserExport(deps, scope, message) : runBulkExport(deps, scope, message);
});

/** Maximum number of runs of one export of a user. */
const MAX_ATTEMPTS = 3;

/**
 * Writes the file of an export. A lease admits one run at a time. After the lease of a stopped run ends, the repeated
 * message or a repeated request starts the next run. An error marks the export as failed.
 */
async function runUserExport(
  deps: GrantedDependencies<(typeof contract)["access"]>,
  scope: TeamScope,
  { user_id, export_id }: ExportMessage,
): Promise<void> {
  const job = await deps.exportJobs.claim(scope, user_id, export_id, ports().clock.now());
  if (!job) return;
  try {
    if (job.attempts > MAX_ATTEMPTS) throw new Error("every run of the export stopped before its end");
    const about = { operation: contract.operationId, id: `${export_id}/${job.attempts}`, userId: user_id };
    await recordServiceAccess(deps.accessLog, scope, { ...about, target: { export_id } });
    await exportUser(deps, scope, job);
  } catch (cause) {
    await failExport(deps, scope, job);
    throw new PermanentError("the export failed", { cause });
  }
}
