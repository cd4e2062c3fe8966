import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { linkTokens, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { generateToken } from "../../lib/crypto/opaque-token.ts";
import { linkTokenDraft, newLinkToken } from "../../lib/domain/connections/link/link-token.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { linkWebUrl } from "../../lib/services/connections/link/link-web-url.ts";

export const contract = endpoint({
  operationId: "createLinkToken",
  method: "POST",
  path: "/v2/link/token",
  tag: "link",
  summary: "Create a link token",
  description: [
    "Creates a token with which one user connects one provider within an hour.",
    "Send the user to `link_web_url`, the service's own page, or pass `link_token` to a page of your own.",
    "That page sends it in the header `x-service-link-token`; never put an API key on a page.",
    "A successful connection consumes the token, and a failed attempt does not.",
    "`provider` and `filter_on_providers` limit every route of the token, not only the page.",
    "The connection sends `provider.connection.created`.",
    "Send the link only to its user, because a holder can connect an account of their own.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: linkTokenDraft,
  response: z.object({ link_token: z.string(), link_web_url: z.string() }).meta({ id: "LinkTokenCreated" }),
  errors: [UserNotFound],
  access: [getItem(users), putItem(linkTokens)],
});

export const handler = implement(contract, async ({ scope, keyId, body }, { users, linkTokens }) => {
  if (!(await users.get(scope, body.user_id))) throw new UserNotFound();
  const linkToken = generateToken("lt", ports().ids.bytes);
  await linkTokens.create(linkToken.sha256, newLinkToken(body, { teamId: scope.teamId, keyId }, ports().clock.now()));
  return { link_token: linkToken.token, link_web_url: linkWebUrl(linkToken.token) };
});
