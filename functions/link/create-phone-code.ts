import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { signInTokens, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { allowedProvidersOf } from "../../lib/domain/connections/link/link-token.ts";
import { wireLinkCode } from "../../lib/domain/connections/link/session.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { filterPhoneProviders } from "../../lib/domain/connections/providers/phone-providers.ts";
import { findProvider } from "../../lib/domain/connections/providers/providers.ts";
import { LinkRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { createLinkCode } from "../../lib/services/connections/link/create-link-code.ts";
import { drawQrCode } from "../../lib/services/connections/link/qr-code.ts";

export const contract = endpoint({
  operationId: "createPhoneCode",
  method: "POST",
  path: "/v2/link/provider/sdk/{provider}",
  tag: "link",
  summary: "Create a code to connect a provider on the phone",
  description: [
    "Creates a code with which the user's phone signs in, for providers whose data only an app can read.",
    "The app exchanges it once at `POST /v2/sdk/session`, before the link token expires.",
    "The code does not consume the token, because it connects nothing yet.",
    "The phone may send only data of the providers that the link allows, however often its session refreshes.",
    "A provider that is not read on a phone answers `link_refused`.",
  ],
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: noFields,
  response: wireLinkCode
    .extend({ qr_code: z.string().describe("The exchange_url as QR code, in SVG") })
    .meta({ id: "PhoneCode" }),
  errors: [UserNotFound, LinkRefused],
  access: [getItem(users), putItem(signInTokens)],
});

export const handler = implement(contract, async ({ scope, token, params }, { users, signInTokens }) => {
  if (findProvider(params.provider)?.authType !== "sdk") {
    throw new LinkRefused("INVALID_PROVIDER", "This provider is not connected by phone.");
  }
  if (!(await users.get(scope, token.user_id))) throw new UserNotFound();
  const { user_id, key_id, ends_at } = token;
  const signIn = { user_id, key_id, providers: filterPhoneProviders(allowedProvidersOf(token)) };
  const linkCode = await createLinkCode(signInTokens, scope, signIn, ends_at);
  return { ...linkCode, qr_code: await drawQrCode(linkCode.exchange_url) };
});
