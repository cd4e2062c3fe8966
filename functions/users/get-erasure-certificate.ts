import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { erasures } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { erasureCertificate, toErasureCertificate } from "../../lib/domain/erasure/erasure-certificate.ts";
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
  query: noFields,
  response: erasureCertificate,
  errors: [UserNotFound],
  access: [getItem(erasures)],
});

export const handler = implement(contract, async ({ scope, params }, { erasures }) => {
  const record = await erasures.get(scope, params.user_id);
  const certificate = record && toErasureCertificate(record, params.user_id);
  if (!certificate) throw new UserNotFound();
  return certificate;
});
