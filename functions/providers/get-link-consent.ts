import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consents, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireConsent, wireConsent } from "../../lib/domain/connections/consents/consent.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";
import { findConsentOfLink } from "../../lib/services/connections/consents/find-consent-of-link.ts";

export const contract = endpoint({
  operationId: "getLinkConsent",
  method: "GET",
  path: "/v2/link/consent",
  tag: "providers",
  summary: "Retrieve the consent that a link token gave",
  description: [
    "Returns to the user what they agreed to with this link, with the signed receipt.",
    "The link page shows and prints it after a connection.",
    "Only the connection that this token made is visible, until a day after the token's expiry.",
    "Before a connection, and once the user connects the provider anew or ends it, the answer is `not_found`.",
  ],
  auth: "link",
  acceptsEndedLinks: true,
  params: noFields,
  query: noFields,
  response: wireConsent,
  errors: [NotFound],
  access: [getItem(users), getItem(consents)],
});

export const handler = implement(contract, async (caller, deps) => {
  const found = await findConsentOfLink(deps, caller);
  if (!found) throw new NotFound("This link has given no consent.");
  return toWireConsent(found, { baseUrl: baseUrl(), teamId: caller.scope.teamId });
});
