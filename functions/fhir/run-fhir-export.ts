import { consumer } from "../../lib/contract/consumer.ts";
import { bulkExportSteps } from "../../lib/contract/queues.ts";
import { bulkExportMessage, MAX_STEP_S } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { runBulkExport, runBulkExportAccess } from "../../lib/services/fhir/bulk/run-bulk-export.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs one bounded step of a bulk export and schedules the next one, or deletes the files of a cancelled export. */
export const contract = consumer({
  operationId: "runFhirExport",
  tag: "fhir",
  summary: "Run a step of a bulk export",
  trigger: { kind: "queue", queue: bulkExportSteps, batchSize: 1, maxConcurrency: 10 },
  message: bulkExportMessage,
  access: runBulkExportAccess,
  memoryMb: 1769,
  timeoutS: MAX_STEP_S,
});

export const handler = consume(contract, ({ message }, deps) =>
  runBulkExport(deps, TeamScope.grant(message.team_id), message),
);
