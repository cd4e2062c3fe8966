import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { signInTokens, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { MAX_LINK_CODE_TTL_MS, SIGN_IN_TOKEN_TTL_MS, wireLinkCode } from "../../lib/domain/connections/link/session.ts";
import { UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { createLinkCode } from "../../lib/services/connections/link/create-link-code.ts";

export const contract = endpoint({
  operationId: "createLinkCode",
  method: "POST",
  path: "/v2/link/code/create",
  tag: "link",
  summary: "Create a link code",
  description: [
    "Creates a short sign-in code for the phone of a user, for example in a QR code or a message.",
    "The app exchanges it as `sign_in_token` at `POST /v2/sdk/session`, once.",
    "It is valid for an hour; `expires_at` can set any time within the next 30 days.",
    "The session may send data of all phone providers; only a code from a link limits them.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    user_id: z.guid().toLowerCase(),
    expires_at: z.iso.datetime({ offset: true }).nullish().meta({ description: "Default: one hour from now" }),
  }),
  response: wireLinkCode.meta({ id: "LinkCode" }),
  errors: [UserNotFound],
  access: [getItem(users), putItem(signInTokens)],
});

/** @throws ValidationFailed for an expiry in the past or too far in the future. */
function parseExpiry(expiresAt: string | null | undefined, nowMs: number): string {
  const endMs = expiresAt ? Date.parse(expiresAt) : nowMs + SIGN_IN_TOKEN_TTL_MS;
  if (endMs <= nowMs || endMs > nowMs + MAX_LINK_CODE_TTL_MS)
    throw ValidationFailed.at(["query", "expires_at"], "Must be within the next 30 days");
  return new Date(endMs).toISOString();
}

export const handler = implement(contract, async ({ scope, keyId, query }, { users, signInTokens }) => {
  const endsAt = parseExpiry(query.expires_at, ports().clock.now());
  if (!(await users.get(scope, query.user_id))) throw new UserNotFound();
  return createLinkCode(signInTokens, scope, { user_id: query.user_id, key_id: keyId }, endsAt);
});
