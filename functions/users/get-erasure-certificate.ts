import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { erasures } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { erasureCertificate, toErasureCertificate } from "../../lib/domain/erasure/erasure-certificate.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getErasureCertificate",
  method: "GET",
  path: "/v2/user/erasure/{user_id}",
  tag: "users",
  summary: "Retrieve the erasure certificate of a user",
  description: [
    "Returns the certificate of an erasure: the data that it found, the access that it revoked, and what it left.",
    "It exists once the erasure is complete, at the earliest seven days after `DELETE /v2/user/{user_id}`.",
    "The service keeps it for good, and it contains no personal data.",
    "Active users, deleted users whose erasure is not complete, and unknown users answer `user_not_found`.",
  ],
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
