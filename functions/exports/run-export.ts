import { check, drop, get, keep, put, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { exportRuns } from "../../lib/contract/queues.ts";
import { accessLog, chunks, exportJobs, summaries, userExports, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { EXPORT_RUN_S, exportMessage } from "../../lib/domain/exports/export-job.ts";
import { noteWork } from "../../lib/runtime/audit/noting-work.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { PermanentError } from "../../lib/runtime/errors.ts";
import { exportUser, failExport } from "../../lib/runtime/exporting.ts";
import { ports } from "../../lib/runtime/ports.ts";
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
  access: [
    get(users),
    check(users),
    update(exportJobs),
    remove(exportJobs),
    query(chunks),
    ...underUserKeys,
    query(summaries),
    keep(userExports),
    drop(userExports),
    put(accessLog),
  ],
  memoryMb: 1769,
  timeoutS: EXPORT_RUN_S,
});

/** Maximum number of runs of one export. */
const MOST_ATTEMPTS = 3;

export const handler = consume(contract, async ({ message }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const job = await uses.exportJobs.claim(scope, message.user_id, message.export_id, ports().clock.now());
  if (!job) return;
  try {
    if (job.attempts > MOST_ATTEMPTS) throw new Error("every run of the export stopped before its end");
    const { user_id, export_id } = message;
    const about = { operation: contract.operationId, id: `${export_id}/${job.attempts}`, userId: user_id };
    await noteWork(uses.accessLog, scope, { ...about, target: { export_id } });
    await exportUser(uses, scope, job);
  } catch (cause) {
    await failExport(uses, scope, job);
    throw new PermanentError("the export failed", { cause });
  }
});
