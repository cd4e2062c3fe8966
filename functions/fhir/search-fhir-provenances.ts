import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireBundle } from "../../lib/domain/fhir/resources.ts";
import { pageSize, provenanceQuery } from "../../lib/domain/fhir/search-query.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { emptyPage, readFhirPage } from "../../lib/services/fhir/fhir-page.ts";
import { provenanceAccess, searchProvenances } from "../../lib/services/fhir/provenances.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import {
  checkParameterNames,
  pagePosition,
  parameterNames,
  toSearchBundle,
} from "../../lib/services/fhir/search-call.ts";

export const contract = endpoint({
  operationId: "searchFhirProvenances",
  method: "GET",
  path: "/fhir/Provenance",
  tag: "fhir",
  summary: "Search Provenances of a patient or an Observation",
  description: [
    "Returns from which provider, app and device each Observation of one user came, and when the service received it.",
    "The Provenance of an Observation has the same id.",
    "Results of orders have none: their DiagnosticReport names the laboratory.",
  ],
  auth: "team",
  params: noFields,
  query: provenanceQuery,
  response: wireBundle,
  access: provenanceAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  requireRead(call, "Provenance", "s");
  const known = parameterNames(contract);
  checkParameterNames(known, call.event);
  const after = pagePosition(call);
  const series = await searchProvenances(call.scope, call.query, deps);
  const page = series.length > 0 ? await readFhirPage(series, after, pageSize(call.query._count)) : emptyPage;
  return fhirAnswer(toSearchBundle(known, call, page));
});
