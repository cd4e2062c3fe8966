import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { exportParams, wireManifest } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { describeExport, describeExportAccess, requireExport } from "../../lib/services/fhir/bulk/export-files.ts";

export const contract = endpoint({
  operationId: "getFhirExport",
  method: "GET",
  path: "/fhir/bulk-export/{export_id}",
  tag: "fhir",
  summary: "Retrieve the status of a bulk export",
  description: [
    "Responds 202 while the export runs, with its progress in `x-progress` and the time to wait in `retry-after`.",
    "Then it responds 200 with the manifest, which lists the files. The header `expires` says when they are gone.",
    "A failed export responds with an OperationOutcome and the status 500, or 413 if it has too many files.",
  ],
  auth: "team",
  params: exportParams,
  query: noFields,
  response: wireManifest,
  errors: [NotFound],
  access: describeExportAccess,
});

export const handler = implement(contract, async (call, deps) =>
  describeExport(call, await requireExport(call, call.params.export_id, deps), deps),
);
