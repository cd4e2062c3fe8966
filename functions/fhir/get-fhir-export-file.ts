import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { exportParams, NDJSON_MEDIA_TYPE } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readExportFile, readExportFileAccess, requireExport } from "../../lib/services/fhir/bulk/export-files.ts";

export const contract = endpoint({
  operationId: "getFhirExportFile",
  method: "GET",
  path: "/fhir/bulk-export/{export_id}/{number}",
  tag: "fhir",
  summary: "Download a file of a bulk export",
  description: [
    "Returns a file of a finished export: one resource in each line, all of the same type.",
    "Lines of users who were deleted since the export are left out.",
  ],
  auth: "team",
  params: exportParams.extend({
    number: z.coerce.number().int().min(0).max(999_999).meta({ description: "Number of the file, from 0 on" }),
  }),
  query: noFields,
  response: z.string().meta({ description: "Resources, one in each line", mediaType: NDJSON_MEDIA_TYPE }),
  errors: [NotFound],
  access: readExportFileAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  const job = await requireExport(call, call.params.export_id, deps);
  return readExportFile(call, job, call.params.number, deps);
});
