import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userInfos, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toPatient } from "../../lib/domain/fhir/patient.ts";
import { wireResource } from "../../lib/domain/fhir/resources.ts";
import { parsePatient, resourceParams } from "../../lib/domain/fhir/search-query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireUser } from "../../lib/services/fhir/require-user.ts";

export const contract = endpoint({
  operationId: "getFhirPatient",
  method: "GET",
  path: "/fhir/Patient/{id}",
  tag: "fhir",
  summary: "Retrieve a Patient",
  description: [
    "Returns a user as FHIR R4 Patient. The id of the Patient is the `user_id`, and the identifier is your own id.",
    "Name, contact, gender and address are present if your team stored user info.",
  ],
  auth: "team",
  params: resourceParams,
  query: noFields,
  response: wireResource("Patient"),
  errors: [UserNotFound],
  access: [getItem(users), getItem(userInfos)],
});

export const handler = implement(contract, async ({ scope, params }, { users, userInfos }) => {
  const userId = parsePatient(params.id);
  if (!userId) throw new UserNotFound();
  const user = await requireUser(scope, userId, users);
  return fhirAnswer(toPatient(user, await userInfos.get(scope, userId)));
});
