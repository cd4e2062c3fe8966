import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireResource } from "../../lib/domain/fhir/resources.ts";
import { labResourceTypes, resourceParams } from "../../lib/domain/fhir/search-query.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireLabResource } from "../../lib/services/fhir/lab-resources.ts";
import { requireLabAccess } from "../../lib/services/fhir/lab-series.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";

export const contract = endpoint({
  operationId: "getFhirLabResource",
  method: "GET",
  path: "/fhir/{type}/{id}",
  tag: "fhir",
  summary: "Retrieve an order, a result or a sample",
  description: [
    "Returns the ServiceRequest, DiagnosticReport or Specimen of an order. The id is that of the order.",
    "An order without a result has no DiagnosticReport, and one without a sample has no Specimen: both are `not_found`.",
  ],
  auth: "team",
  keyScope: "labs",
  params: resourceParams.extend({ type: z.enum(labResourceTypes).meta({ description: "Type of the resource" }) }),
  query: noFields,
  response: z.union(labResourceTypes.map((type) => wireResource(type))),
  expand: { param: "type", response: wireResource },
  errors: [NotFound],
  access: requireLabAccess,
});

export const handler = implement(contract, async (call, deps) => {
  requireRead(call, call.params.type, "r");
  return fhirAnswer(await requireLabResource(call, call.params.type, call.params.id, deps));
});
