import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { wireBundle } from "../../lib/domain/fhir/resources.ts";
import { deviceQuery, pageSize } from "../../lib/domain/fhir/search-query.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { emptyPage, readFhirPage } from "../../lib/services/fhir/fhir-page.ts";
import { parseTokenParameter } from "../../lib/services/fhir/observation-filter.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import {
  checkParameterNames,
  pagePosition,
  parameterNames,
  requirePatient,
  toSearchBundle,
} from "../../lib/services/fhir/search-call.ts";
import { deviceSeries } from "../../lib/services/fhir/source-series.ts";

export const contract = endpoint({
  operationId: "searchFhirDevices",
  method: "GET",
  path: "/fhir/Device",
  tag: "fhir",
  summary: "Search Devices of a patient",
  description: [
    "Returns the devices of one user as FHIR R4 Devices.",
    "An Observation names its device by the same identifier, the source's own id of the device.",
    "A device that no source described has no Device.",
  ],
  auth: "team",
  params: noFields,
  query: deviceQuery,
  response: wireBundle,
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async (call, { users, summaries }) => {
  requireRead(call, "Device", "s");
  const { scope, query, event } = call;
  const known = parameterNames(contract);
  checkParameterNames(known, event);
  const userId = requirePatient(query.patient);
  const series = deviceSeries({ summaries, scope, userId }, parseTokenParameter("identifier", query.identifier));
  const after = pagePosition(call);
  const isKnown = await users.get(scope, userId);
  const page = isKnown ? await readFhirPage([series], after, pageSize(query._count)) : emptyPage;
  return fhirAnswer(toSearchBundle(known, call, page));
});
