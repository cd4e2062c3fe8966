import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { ALL_USERS, allUsersGroup } from "../../lib/domain/fhir/bulk/group.ts";
import { wireResource } from "../../lib/domain/fhir/resources.ts";
import { resourceParams } from "../../lib/domain/fhir/search-query.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";

export const contract = endpoint({
  operationId: "getFhirGroup",
  method: "GET",
  path: "/fhir/Group/{id}",
  tag: "fhir",
  summary: "Retrieve a Group",
  description: [
    "Returns the Group `all`, which stands for all users of the team in a bulk export. It is the only one.",
  ],
  auth: "team",
  params: resourceParams,
  query: noFields,
  response: wireResource("Group"),
  errors: [NotFound],
  access: [],
});

export const handler = implement(contract, async (call) => {
  requireRead(call, "Patient", "r");
  if (call.params.id !== ALL_USERS) throw new NotFound("There is no Group with this id.");
  return fhirAnswer(allUsersGroup);
});
