import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireBundle } from "../../lib/domain/fhir/resources.ts";
import { observationQuery, pageSize } from "../../lib/domain/fhir/search-query.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { emptyPage, readFhirPage } from "../../lib/services/fhir/fhir-page.ts";
import { parseObservationFilter } from "../../lib/services/fhir/observation-filter.ts";
import { observationSeries, searchObservationsAccess, withheldResults } from "../../lib/services/fhir/observations.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import {
  checkParameterNames,
  pagePosition,
  parameterNames,
  requirePatient,
  toSearchBundle,
} from "../../lib/services/fhir/search-call.ts";

export const contract = endpoint({
  operationId: "searchFhirObservations",
  method: "GET",
  path: "/fhir/Observation",
  tag: "fhir",
  summary: "Search Observations of a patient",
  description: [
    "Returns samples, summaries and lab results of one user as FHIR R4 Observations, with the values and units of the ordinary API.",
    "Observations come by resource and kind, and those of one source in order of time. Follow the link `next` until it is absent.",
    "Lab results need a key with the scope `labs`. Without it, an OperationOutcome in the Bundle says that they are left out.",
    "A page can be shorter than `_count`, because it has at most 4 MB.",
    "Unknown parameters are ignored, or refused with the header `Prefer: handling=strict`.",
  ],
  auth: "team",
  params: noFields,
  query: observationQuery,
  response: wireBundle,
  access: searchObservationsAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  requireRead(call, "Observation", "s");
  const { scope, query, event } = call;
  checkParameterNames(parameterNames(contract), event);
  const userId = requirePatient(query.patient);
  const filter = parseObservationFilter(query);
  const after = pagePosition(call);
  const isKnown = await deps.users.get(scope, userId);
  const series = isKnown ? observationSeries(call, userId, filter, deps) : [];
  const page = isKnown ? await readFhirPage(series, after, pageSize(query._count)) : emptyPage;
  return fhirAnswer(toSearchBundle(parameterNames(contract), call, page, withheldResults(call, filter)));
});
