import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { wireResource } from "../../lib/domain/fhir/resources.ts";
import { resourceParams } from "../../lib/domain/fhir/search-query.ts";
import { devices } from "../../lib/domain/summaries/devices.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import { toStoredDevice } from "../../lib/services/fhir/source-series.ts";

export const contract = endpoint({
  operationId: "getFhirDevice",
  method: "GET",
  path: "/fhir/Device/{id}",
  tag: "fhir",
  summary: "Retrieve a Device",
  description: ["Returns the Device with an id from a search. The id is that of the device in the ordinary API."],
  auth: "team",
  params: resourceParams,
  query: noFields,
  response: wireResource("Device"),
  errors: [NotFound],
  access: [getItem(users), queryItems(summaries, "by_id"), ...userKeyAccess],
});

export const handler = implement(contract, async (call, { users, summaries }) => {
  requireRead(call, "Device", "r");
  const { scope, params } = call;
  const record = await summaries.findById(scope, devices, params.id);
  if (!record || !(await users.get(scope, record.user_id))) throw new NotFound("There is no Device with this id.");
  return fhirAnswer(toStoredDevice(record));
});
