import * as z from "zod";
import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { signInTokens, users } from "../../lib/contract/resources.ts";
import { limitsOf } from "../../lib/domain/linking/link-token.ts";
import { wireLinkCode } from "../../lib/domain/linking/session.ts";
import { phoneProvidersOf } from "../../lib/domain/sources/phone-providers.ts";
import { findProvider, knownProvider } from "../../lib/domain/sources/providers.ts";
import { LinkRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { makeLinkCode } from "../../lib/runtime/linking/link-codes.ts";
import { drawQrCode } from "../../lib/runtime/linking/qr-code.ts";

/**
 * Creates a code with which the user's phone signs in, for providers whose data only a phone app can read. The code is
 * valid once and at most as long as the link token. It does not consume the token, because it connects nothing yet. The
 * phone may send only data of the providers that the link allows.
 */
export const contract = endpoint({
  operationId: "createPhoneCode",
  method: "POST",
  path: "/v2/link/provider/sdk/{provider}",
  tag: "link",
  summary: "Create a code to connect a provider on the phone",
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: nothing,
  response: wireLinkCode
    .extend({ qr_code: z.string().describe("The exchange_url as QR code, in SVG") })
    .meta({ id: "PhoneCode" }),
  errors: [UserNotFound, LinkRefused],
  access: [get(users), put(signInTokens)],
});

export const handler = implement(contract, async ({ scope, token, params }, { users, signInTokens }) => {
  if (findProvider(params.provider)?.authType !== "sdk") {
    throw new LinkRefused("INVALID_PROVIDER", "This provider is not connected by phone.");
  }
  if (!(await users.get(scope, token.user_id))) throw new UserNotFound();
  const { user_id, key_id, ends_at } = token;
  const signIn = { user_id, key_id, providers: phoneProvidersOf(limitsOf(token)) };
  const made = await makeLinkCode(signInTokens, scope, signIn, ends_at);
  return { ...made, qr_code: await drawQrCode(made.exchange_url) };
});
