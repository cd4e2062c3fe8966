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
 * Writes the file of an export. One run at a time is at an export; one that died gives way when its lease ends, to the
 * message that comes back or to whoever asks for the export again. An error ends the export as failed.
 */
export const contract = consumer({
  operationId: "runExport",
  tag: "exports",
  summary: "Write an export of a user's data",
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

/** An export whose runs died so often is not tried again. */
const MOST_ATTEMPTS = 3;

export const handler = consume(contract, async ({ message }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const job = await uses.exportJobs.claim(scope, message.user_id, message.export_id, ports().clock.now());
  if (!job) return;
  try {
    if (job.attempts > MOST_ATTEMPTS) throw new Error("every run died");
    const { user_id, export_id } = message;
    const about = { operation: contract.operationId, id: `${export_id}/${job.attempts}`, userId: user_id };
    await noteWork(uses.accessLog, scope, { ...about, target: { export_id } });
    await exportUser(uses, scope, job);
  } catch (cause) {
    await failExport(uses, scope, job);
    throw new PermanentError("the export failed", { cause });
  }
});
