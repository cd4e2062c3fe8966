import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, userParams } from "../../lib/contract/parts.ts";
import { erasures } from "../../lib/contract/resources.ts";
import { certificateOf, erasureCertificate } from "../../lib/domain/erasure.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/**
 * Returns the certificate of an erasure: the data it found, the grants it revoked and the data it left. 404 for a user
 * who is not erased.
 */
export const contract = endpoint({
  operationId: "getErasureCertificate",
  method: "GET",
  path: "/v2/user/erasure/{user_id}",
  tag: "users",
  summary: "Retrieve the erasure certificate of a user",
  auth: "team",
  params: userParams,
  query: nothing,
  response: erasureCertificate,
  errors: [UserNotFound],
  access: [get(erasures)],
});

export const handler = implement(contract, async ({ scope, params }, { erasures }) => {
  const record = await erasures.get(scope, params.user_id);
  const certificate = record && certificateOf(record, params.user_id);
  if (!certificate) throw new UserNotFound();
  return certificate;
});
