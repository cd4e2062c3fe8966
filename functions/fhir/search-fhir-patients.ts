import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { reservations, userInfos, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toPatient } from "../../lib/domain/fhir/patient.ts";
import { wireBundle } from "../../lib/domain/fhir/resources.ts";
import { parseIdentifier, patientQuery } from "../../lib/domain/fhir/search-query.ts";
import { ValidationFailed } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import { checkParameterNames, parameterNames, toSearchBundle } from "../../lib/services/fhir/search-call.ts";

export const contract = endpoint({
  operationId: "searchFhirPatients",
  method: "GET",
  path: "/fhir/Patient",
  tag: "fhir",
  summary: "Find a Patient by identifier",
  description: [
    "Returns the user with your own id, the `client_user_id`, as a Bundle with one Patient, or an empty Bundle.",
    "The identifier is the id alone, or `urn:tributary:client-user-id|` followed by it.",
    "To list all users, use `GET /v2/user`.",
  ],
  auth: "team",
  params: noFields,
  query: patientQuery,
  userParameters: { identifier: "any" },
  response: wireBundle,
  access: [getItem(users), getItem(reservations), getItem(userInfos)],
});

export const handler = implement(contract, async (call, { users, reservations, userInfos }) => {
  requireRead(call, "Patient", "s");
  const { scope, query, event } = call;
  checkParameterNames(parameterNames(contract), event);
  const identifier = parseIdentifier(query.identifier);
  if (identifier === undefined) throw ValidationFailed.at(["query", "identifier"], "Not one identifier");
  const reservation = identifier === null ? undefined : await reservations.get(scope, identifier);
  const user = reservation && (await users.get(scope, reservation.user_id));
  const patient =
    user?.client_user_id === identifier ? toPatient(user, await userInfos.get(scope, user.user_id)) : undefined;
  const found = patient ? [{ resource: patient, position: [] }] : [];
  return fhirAnswer(toSearchBundle(parameterNames(contract), call, { found, next: undefined }));
});
