import * as z from "zod";
import { oneTime } from "./one-time.ts";

/** How long a user may take to come back from a provider, or to type the code that it sent. */
export const ATTEMPT_MS = 10 * 60 * 1000;

/** A user on the way through a provider's own pages, as stored under the hash of the OAuth state. */
export const oauthAttempt = oneTime.extend({
  provider: z.string(),
  /** Hash of the link token that this attempt is made with. */
  link_token: z.string(),
  redirect_url: z.string().nullable(),
  /** The redirect URI that the provider was given; the exchange has to name the same. */
  redirect_uri: z.string(),
  client_id: z.string(),
  /** Absent where the provider has no PKCE. */
  code_verifier: z.string().optional(),
});
export type OAuthAttempt = z.output<typeof oauthAttempt>;

/** A login that waits for a code, as stored under a name made of link token and provider. */
export const loginAttempt = oneTime.extend({
  /** What the provider knows the login by, enveloped. */
  sealed: z.string(),
});

/** What a login that waits is bound to. */
export const loginContext = (teamId: string, record: string) =>
  ({ purpose: "provider_login", team_id: teamId, record, field: "challenge" }) as const;
