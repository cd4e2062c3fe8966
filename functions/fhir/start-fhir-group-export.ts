import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { acceptedExport } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { exportParametersBody, readBodyParameters } from "../../lib/domain/fhir/bulk/export-request.ts";
import { ALL_USERS, groupOperationParams } from "../../lib/domain/fhir/bulk/group.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { startBulkExport, startNamedExportAccess } from "../../lib/services/fhir/bulk/start-bulk-export.ts";

export const contract = endpoint({
  operationId: "startFhirGroupExport",
  method: "POST",
  // A variable, because an HTTP API gives `$` in a route its own meaning.
  path: "/fhir/Group/{id}/{operation}",
  tag: "fhir",
  summary: "Start a bulk export of a Group, with parameters in a body",
  description: [
    "Starts a bulk export as `GET` of the same path does, with the parameters in a body.",
    "With the parameter `patient`, it exports only these members of the Group.",
    "The header `Prefer: respond-async` is required. Read the status at the URL of the header `content-location`.",
    "A team has at most two exports in progress. Unknown parameters are refused, unless `Prefer` has `handling=lenient`.",
  ],
  auth: "team",
  keyScope: "read",
  params: groupOperationParams,
  query: noFields,
  body: exportParametersBody,
  // Its entries may name patients.
  userParameters: { parameter: "any" },
  response: acceptedExport,
  status: 202,
  errors: [NotFound],
  access: startNamedExportAccess,
});

export const handler = implement(contract, async (call, deps) => {
  if (call.params.id !== ALL_USERS) throw new NotFound("There is no Group with this id.");
  return startBulkExport(call, readBodyParameters(call.body), deps, deps.users);
});
