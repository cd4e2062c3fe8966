import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consents, users } from "../../lib/contract/resources.ts";
import { queryInteger, userParams } from "../../lib/contract/shared-schemas.ts";
import { consentId, toWireConsent, wireConsent } from "../../lib/domain/connections/consents/consent.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "listConsents",
  method: "GET",
  path: "/v2/consents/{user_id}",
  tag: "providers",
  summary: "List the consents of a user",
  description: [
    "Returns what the user agreed to with each connection through a link, the newest first, with signed receipts.",
    "A consent stays in the list after its end: `withdrawn` by the user at the provider, or `terminated`.",
    "Connections of phones, imports and demo connections have no consent here.",
    "The erasure of the user deletes all consents.",
  ],
  auth: "team",
  params: userParams,
  query: z.object({
    limit: queryInteger(1, 100).default(50).describe("Maximum number of consents in a page"),
    next_cursor: z.string().max(2_000).optional().describe("Cursor of the page to return"),
  }),
  response: z
    .object({ consents: z.array(wireConsent), next_cursor: z.string().nullable() })
    .meta({ id: "ConsentsPage" }),
  errors: [UserNotFound],
  access: [getItem(users), queryItems(consents)],
});

export const handler = implement(contract, async ({ scope, params: { user_id }, query, pages }, deps) => {
  if (!(await deps.users.get(scope, user_id))) throw new UserNotFound();
  const [before] = pages.read(query.next_cursor, z.tuple([consentId])) ?? [];
  const found = await deps.consents.list(scope, user_id, query.limit, before);
  const last = found.length === query.limit ? found.at(-1) : undefined;
  const at = { baseUrl: baseUrl(), teamId: scope.teamId };
  return {
    consents: found.map((one) => toWireConsent(one, at)),
    next_cursor: last ? pages.write([last.consent_id]) : null,
  };
});
