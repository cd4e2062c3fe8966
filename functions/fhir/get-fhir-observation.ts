import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireResource } from "../../lib/domain/fhir/resources.ts";
import { resourceParams } from "../../lib/domain/fhir/search-query.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireObservation, requireObservationAccess } from "../../lib/services/fhir/observations.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";

export const contract = endpoint({
  operationId: "getFhirObservation",
  method: "GET",
  path: "/fhir/Observation/{id}",
  tag: "fhir",
  summary: "Retrieve an Observation",
  description: [
    "Returns the Observation with an id from a search.",
    "The id follows from what was measured, so it stays when the source corrects the value.",
    "A lab result needs a key with the scope `labs`.",
    "An Observation that the source deleted answers `not_found`.",
  ],
  auth: "team",
  params: resourceParams,
  query: noFields,
  response: wireResource("Observation"),
  errors: [NotFound],
  access: requireObservationAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  requireRead(call, "Observation", "r");
  return fhirAnswer(await requireObservation(call, call.params.id, deps));
});
