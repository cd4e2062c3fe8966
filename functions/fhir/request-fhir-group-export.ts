import { endpoint } from "../../lib/contract/endpoint.ts";
import { acceptedExport } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { exportQuery } from "../../lib/domain/fhir/bulk/export-request.ts";
import { ALL_USERS, groupOperationParams } from "../../lib/domain/fhir/bulk/group.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  readUrlParameters,
  startBulkExport,
  startBulkExportAccess,
} from "../../lib/services/fhir/bulk/start-bulk-export.ts";

export const contract = endpoint({
  operationId: "requestFhirGroupExport",
  method: "GET",
  // A variable, because an HTTP API gives `$` in a route its own meaning.
  path: "/fhir/Group/{id}/{operation}",
  tag: "fhir",
  summary: "Start a bulk export of a Group",
  description: [
    "Starts the export of the data of all members of a Group as NDJSON files. The only Group is `all`, all users of the team.",
    "The header `Prefer: respond-async` is required. Read the status at the URL of the header `content-location`.",
    "A team has at most two exports in progress. Unknown parameters are refused, unless `Prefer` has `handling=lenient`.",
  ],
  auth: "team",
  keyScope: "read",
  params: groupOperationParams,
  query: exportQuery,
  response: acceptedExport,
  status: 202,
  errors: [NotFound],
  access: startBulkExportAccess,
});

export const handler = implement(contract, async (call, deps) => {
  if (call.params.id !== ALL_USERS) throw new NotFound("There is no Group with this id.");
  return startBulkExport(call, readUrlParameters(call), deps);
});
