import * as z from "zod";
import { getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consentKeys, usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { publicSigningKey } from "../../lib/domain/connections/consents/consent.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

export const contract = endpoint({
  operationId: "listConsentKeys",
  method: "GET",
  path: "/v2/consent_keys/{team_id}",
  tag: "providers",
  summary: "List the public keys of consent receipts",
  description: [
    "Returns the public keys that verify the consent receipts of a team, as a JSON Web Key Set.",
    "Store the set beside receipts, to verify them without the service.",
    "A team without consents has no key, and so has an unknown team.",
  ],
  auth: "none",
  params: z.object({ team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: z.object({ keys: z.array(publicSigningKey) }).meta({ id: "ConsentKeys" }),
  access: [getItem(consentKeys), updateItem(usage)],
});

export const handler = implement(contract, async ({ params }, { consentKeys }) => {
  const key = await consentKeys.get(TeamScope.grant(params.team_id));
  const headers = { "cache-control": "public, max-age=3600" };
  return new Answer(JSON.stringify({ keys: key ? [key.jwk] : [] }), { headers });
});
