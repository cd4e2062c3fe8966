import * as z from "zod";
import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { linkTokens, users } from "../../lib/contract/resources.ts";
import { makeToken } from "../../lib/crypto/opaque-token.ts";
import { linkTokenDraft, linkTokenOf } from "../../lib/domain/linking/link-token.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { linkWebUrl } from "../../lib/runtime/linking/link-web-url.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Creates a token with which one provider can be connected for a user, by the link page or by the team's own page. */
export const contract = endpoint({
  operationId: "createLinkToken",
  method: "POST",
  path: "/v2/link/token",
  tag: "link",
  summary: "Create a link token",
  auth: "team",
  params: nothing,
  query: nothing,
  body: linkTokenDraft,
  response: z.object({ link_token: z.string(), link_web_url: z.string() }).meta({ id: "LinkTokenCreated" }),
  errors: [UserNotFound],
  access: [get(users), put(linkTokens)],
});

export const handler = implement(contract, async ({ scope, keyId, body }, { users, linkTokens }) => {
  if (!(await users.get(scope, body.user_id))) throw new UserNotFound();
  const made = makeToken("lt", ports().ids.bytes);
  await linkTokens.create(made.sha256, linkTokenOf(body, { teamId: scope.teamId, keyId }, ports().clock.now()));
  return { link_token: made.token, link_web_url: linkWebUrl(made.token) };
});
