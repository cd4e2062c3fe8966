import * as z from "zod";
import { oneTime } from "./one-time.ts";

/** How long a user may take to come back from a provider, or to type the code that it sent. */
export const ATTEMPT_MS = 10 * 60 * 1000;

/** What a ticket and the attempt that it becomes have in common. */
const beginning = oneTime.extend({
  provider: z.string(),
  /** Hash of the link token that this attempt is made with. */
  link_token: z.string(),
  redirect_url: z.string().nullable(),
  /** The redirect URI that the provider is given; the exchange has to name the same. */
  redirect_uri: z.string(),
  client_id: z.string(),
});

/** What the first browser that opens an `oauth_url` begins, as stored under the hash of its ticket. */
export const oauthTicket = beginning.extend({
  /** What the user is asked for. */
  scopes: z.array(z.string()),
});
export type OAuthTicket = z.output<typeof oauthTicket>;

/** A user on the way through a provider's own pages, as stored under the hash of the OAuth state. */
export const oauthAttempt = beginning.extend({
  /** Hash of the secret that the cookie of the browser which began holds; attempts without it can not be finished. */
  browser: z.string().optional(),
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
