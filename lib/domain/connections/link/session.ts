import * as z from "zod";
import { issuedBy } from "../../management/issued-by.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { oneTimeToken } from "./one-time-token.ts";

/** Time to live of a sign-in token. */
export const SIGN_IN_TOKEN_TTL_MS = 60 * 60 * 1000;
/** Time to live of an access token. */
const ACCESS_TOKEN_TTL_MS = 60 * 60 * 1000;
/** Time without a refresh after which a session ends. */
const IDLE_TIMEOUT_MS = 90 * DAY_MS;
/** Maximum length of a session from its sign-in, regardless of refreshes. */
const MAX_SESSION_MS = 400 * DAY_MS;
/** Maximum time to live of a link code. */
export const MAX_LINK_CODE_TTL_MS = 30 * DAY_MS;

/** Phone providers that a sign-in or session is limited to; absent for any. */
const providers = z.array(z.string()).optional();

/** Sign-in token or link code, stored under its hash. */
export const signInToken = oneTimeToken.extend({ providers });

/** Stored session of a user on a phone, with the hashes of its tokens. */
export const sessionRecord = issuedBy.pick({ key_id: true }).extend({
  providers,
  session_id: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  created_at: z.string(),
  access_sha256: z.string(),
  /** ISO 8601. */
  access_ends_at: z.string(),
  refresh_sha256: z.string(),
  refresh_ends_at: z.string(),
});
export type Session = z.output<typeof sessionRecord>;

/** Parent of a session, whose revocation ends the session: team, user and key, as of the sign-in. */
export const sessionParent = ({ team_id, user_id, key_id, created_at: made_at }: Session) => ({
  ...{ team_id, user_id, key_id, made_at },
});

/** Expiry of the tokens of a session that starts or refreshes now. @param createdAt time of the sign-in, ISO 8601. */
export function sessionExpiry(createdAt: string, nowMs: number) {
  const lastMs = Date.parse(createdAt) + MAX_SESSION_MS;
  const within = (ms: number) => new Date(Math.min(nowMs + ms, lastMs)).toISOString();
  return { access_ends_at: within(ACCESS_TOKEN_TTL_MS), refresh_ends_at: within(IDLE_TIMEOUT_MS) };
}

/** Tokens of a session, returned once. */
export const wireSession = z
  .object({
    access_token: z.string(),
    refresh_token: z.string().describe("Valid for one refresh; using it again ends the session"),
    expires_in: z.int().describe("Seconds until the access token expires"),
    user_id: z.guid(),
  })
  .meta({ id: "Session" });

/** Link code, as returned: a sign-in token short enough for a QR code or a link. */
export const wireLinkCode = z.object({
  code: z.string(),
  exchange_url: z.string().describe("URL to post the code to, as sign_in_token"),
  expires_at: z.string(),
});
