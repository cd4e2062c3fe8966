import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { acceptedExport, exportParams } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { cancelExport, cancelExportAccess } from "../../lib/services/fhir/bulk/export-files.ts";

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
  access: cancelExportAccess,
});

export const handler = implement(contract, async (call, deps) => {
  await cancelExport(call, call.params.export_id, deps);
  return new Answer("");
});
