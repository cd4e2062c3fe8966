import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { acceptedExport } from "../../lib/domain/fhir/bulk/bulk-export.ts";
import { exportParametersBody, readBodyParameters } from "../../lib/domain/fhir/bulk/export-request.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { startBulkExport, startNamedExportAccess } from "../../lib/services/fhir/bulk/start-bulk-export.ts";

export const contract = endpoint({
  operationId: "startFhirPatientExport",
  method: "POST",
  // A variable, because an HTTP API gives `$` in a route its own meaning. It has the name that the route of GET gives it.
  path: "/fhir/Patient/{id}",
  tag: "fhir",
  summary: "Start a bulk export of all patients",
  description: [
    "Starts a bulk export as `GET /fhir/Patient/$export` does, with the parameters in a body.",
    "With the parameter `patient`, it exports only these patients.",
    "The header `Prefer: respond-async` is required. Read the status at the URL of the header `content-location`.",
  ],
  auth: "team",
  keyScope: "read",
  params: z.object({ id: z.enum(["$export"]).meta({ description: "The operation" }) }),
  query: noFields,
  body: exportParametersBody,
  // Its entries may name patients.
  userParameters: { id: "user_id", parameter: "any" },
  response: acceptedExport,
  status: 202,
  access: startNamedExportAccess,
});

export const handler = implement(contract, (call, deps) =>
  startBulkExport(call, readBodyParameters(call.body), deps, deps.users),
);
