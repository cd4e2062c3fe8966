import * as z from "zod";
import { consentNotice } from "../consents/consent-notice.ts";
import { oneTimeToken } from "./one-time-token.ts";

/** Time to live of a link attempt: until the provider redirects the user back, or the user enters the code. */
export const LINK_ATTEMPT_TTL_MS = 10 * 60 * 1000;

/** Common fields of an OAuth ticket and its attempt. */
const oauthRequestBase = oneTimeToken.extend({
  provider: z.string(),
  /** Hash of the link token of this attempt. */
  link_token: z.string(),
  redirect_url: z.string().nullable(),
  /** Redirect URI of the authorization request; the token request must repeat it (RFC 6749, section 4.1.3). */
  redirect_uri: z.string(),
  client_id: z.string(),
  /** Requested scopes. */
  scopes: z.array(z.string()),
  /** The words that the user saw; absent if the service showed none. */
  notice: consentNotice.optional(),
});

/** OAuth ticket of an `oauth_url`, stored under its hash. The first browser that opens the URL starts an attempt. */
export const oauthTicket = oauthRequestBase;

/** Pending OAuth authorization at a provider, stored under the hash of the OAuth `state`. */
export const oauthAttempt = oauthRequestBase.extend({
  /** Hash of the secret in the cookie of the browser that started the attempt. Without it, an attempt cannot finish. */
  browser: z.string().optional(),
  /** PKCE code verifier; absent for a provider without PKCE. */
  code_verifier: z.string().optional(),
});
export type OAuthAttempt = z.output<typeof oauthAttempt>;

/** Login that waits for a code, stored under a key of link token and provider. */
export const loginAttempt = oneTimeToken.extend({
  /** Envelope with the provider's challenge of the login. */
  sealed: z.string(),
});

/** Encryption context of a pending login. */
export const loginEncryptionContext = (teamId: string, record: string) =>
  ({ purpose: "provider_login", team_id: teamId, record, field: "challenge" }) as const;
