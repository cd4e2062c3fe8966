import * as z from "zod";
import { getItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userInfos } from "../../lib/contract/resources.ts";
import { wireBundle } from "../../lib/domain/fhir/resources.ts";
import { everythingQuery, pageSize, parsePatient, resourceParams } from "../../lib/domain/fhir/search-query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { everythingSeries } from "../../lib/services/fhir/everything-series.ts";
import { readFhirPage } from "../../lib/services/fhir/fhir-page.ts";
import { searchObservationsAccess, withheldResults } from "../../lib/services/fhir/observations.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import { requireUser } from "../../lib/services/fhir/require-user.ts";
import {
  checkParameterNames,
  pagePosition,
  parameterNames,
  toSearchBundle,
} from "../../lib/services/fhir/search-call.ts";

export const contract = endpoint({
  operationId: "getFhirPatientEverything",
  method: "GET",
  // A variable, because an HTTP API gives `$` in a route its own meaning.
  path: "/fhir/Patient/{id}/{operation}",
  tag: "fhir",
  summary: "Retrieve everything about a patient",
  description: [
    "Returns the Patient, then Devices, orders, samples, results and Observations of one user, page by page.",
    "The only `operation` is `$everything`. Follow the link `next` until it is absent.",
    "Provenances come only if `_type` names them, because there is one for each Observation.",
    "Orders and results need a key with the scope `labs`. Without it, an OperationOutcome says that they are left out.",
  ],
  auth: "team",
  params: resourceParams.extend({ operation: z.enum(["$everything"]).meta({ description: "The operation" }) }),
  query: everythingQuery,
  userParameters: { id: "user_id" },
  response: wireBundle,
  errors: [UserNotFound],
  access: grants(searchObservationsAccess, getItem(userInfos)),
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  requireRead(call, "Patient", "r");
  const { params, query, scope, event } = call;
  const known = parameterNames(contract);
  checkParameterNames(known, event);
  const userId = parsePatient(params.id);
  if (!userId) throw new UserNotFound();
  const after = pagePosition(call);
  const user = await requireUser(scope, userId, deps.users);
  const { series, filter } = everythingSeries(call, user, query, deps);
  const page = await readFhirPage(series, after, pageSize(query._count));
  return fhirAnswer(toSearchBundle(known, call, page, withheldResults(call, filter)));
});
