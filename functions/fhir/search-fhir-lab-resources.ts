import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { wireBundle } from "../../lib/domain/fhir/resources.ts";
import { labParameterNames, labQuery, labResourceTypes, pageSize } from "../../lib/domain/fhir/search-query.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { emptyPage, readFhirPage } from "../../lib/services/fhir/fhir-page.ts";
import { labResourceSeries } from "../../lib/services/fhir/lab-resources.ts";
import { searchLabAccess } from "../../lib/services/fhir/lab-series.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import {
  checkParameterNames,
  pagePosition,
  requirePatient,
  toSearchBundle,
} from "../../lib/services/fhir/search-call.ts";

export const contract = endpoint({
  operationId: "searchFhirLabResources",
  method: "GET",
  path: "/fhir/{type}",
  tag: "fhir",
  summary: "Search orders and results of a patient",
  description: [
    "Returns lab orders as ServiceRequests, their results as DiagnosticReports, and their samples as Specimens.",
    "The oldest order comes first. The resources of one order have its id.",
    "Partial results are included if the team enabled `partial_webhooks_enabled`.",
    "The values of a result are Observations.",
  ],
  auth: "team",
  keyScope: "labs",
  params: z.object({ type: z.enum(labResourceTypes).meta({ description: "Type of the resources" }) }),
  query: labQuery,
  response: wireBundle,
  expand: { param: "type", response: () => wireBundle },
  access: searchLabAccess,
});

export const handler = implement(contract, async (call, { users, orders, results }) => {
  requireRead(call, call.params.type, "s");
  const { scope, team, params, query, event } = call;
  const known = labParameterNames(params.type);
  checkParameterNames(known, event);
  const userId = requirePatient(query.patient);
  const series = labResourceSeries(params.type, { scope, team, orders, results }, userId, query);
  const after = pagePosition(call);
  const isKnown = await users.get(scope, userId);
  const page = isKnown ? await readFhirPage([series], after, pageSize(query._count)) : emptyPage;
  return fhirAnswer(toSearchBundle(known, call, page));
});
