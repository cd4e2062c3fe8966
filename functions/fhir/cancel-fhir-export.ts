import { deleteItem, getItem, sendMessage, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { exportRuns } from "../../lib/contract/queues.ts";
import { bulkExports } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { acceptedExport, bulkExportMessage, exportParams } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireExport } from "../../lib/services/fhir/bulk/export-files.ts";

export const contract = endpoint({
  operationId: "cancelFhirExport",
  method: "DELETE",
  path: "/fhir/bulk-export/{export_id}",
  tag: "fhir",
  summary: "Cancel a bulk export",
  description: [
    "Cancels an export that runs, and discards the files of a finished one.",
    "From then on, the export and its files answer `not_found`. The service deletes the files soon after.",
  ],
  auth: "team",
  keyScope: "read",
  params: exportParams,
  query: noFields,
  response: acceptedExport,
  status: 202,
  errors: [NotFound],
  access: [getItem(bulkExports), updateItem(bulkExports), deleteItem(bulkExports), sendMessage(exportRuns)],
});

export const handler = implement(contract, async (call, deps) => {
  const job = await requireExport(call, call.params.export_id, deps);
  if (!(await deps.bulkExports.cancel(call.scope, job))) throw new NotFound("There is no export with this id.");
  await deps.exportRuns.send(bulkExportMessage.parse(job));
  return new Answer("");
});
