import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consents, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { consentId, toWireConsent, wireConsent } from "../../lib/domain/connections/consents/consent.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "getConsent",
  method: "GET",
  path: "/v2/consents/{user_id}/{consent_id}",
  tag: "providers",
  summary: "Retrieve a consent of a user",
  description: [
    "Returns one consent with its signed receipt, as the list does.",
    "Events of consents name its id.",
    "An id of another user answers `not_found`.",
  ],
  auth: "team",
  params: userParams.extend({ consent_id: consentId }),
  query: noFields,
  response: wireConsent,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(consents)],
});

export const handler = implement(contract, async ({ scope, params: { user_id, consent_id } }, deps) => {
  if (!(await deps.users.get(scope, user_id))) throw new UserNotFound();
  const found = await deps.consents.get(scope, user_id, consent_id);
  if (!found) throw new NotFound("The user has no consent with this id.");
  return toWireConsent(found, { baseUrl: baseUrl(), teamId: scope.teamId });
});
