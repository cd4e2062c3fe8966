import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireResource } from "../../lib/domain/fhir/resources.ts";
import { resourceParams } from "../../lib/domain/fhir/search-query.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { findMeasuredAccess } from "../../lib/services/fhir/observations.ts";
import { requireProvenance } from "../../lib/services/fhir/provenances.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";

export const contract = endpoint({
  operationId: "getFhirProvenance",
  method: "GET",
  path: "/fhir/Provenance/{id}",
  tag: "fhir",
  summary: "Retrieve a Provenance",
  description: ["Returns the Provenance of an Observation. The id is that of the Observation."],
  auth: "team",
  params: resourceParams,
  query: noFields,
  response: wireResource("Provenance"),
  errors: [NotFound],
  access: findMeasuredAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  requireRead(call, "Provenance", "r");
  return fhirAnswer(await requireProvenance(call.scope, call.params.id, deps));
});
