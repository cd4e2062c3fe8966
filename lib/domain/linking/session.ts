import * as z from "zod";
import { madeBy } from "../made-by.ts";
import { oneTime } from "./one-time.ts";

/** Time to live of a sign-in token. */
export const SIGN_IN_MS = 60 * 60 * 1000;
/** Time to live of an access token. */
export const ACCESS_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Time without a refresh after which a session ends. */
const IDLE_MS = 90 * DAY_MS;
/** Maximum length of a session from its sign-in, regardless of refreshes. */
const SESSION_MS = 400 * DAY_MS;
/** Maximum time to live of a link code. */
export const MOST_CODE_MS = 30 * DAY_MS;

/** Phone providers that a sign-in or session is limited to; absent for any. */
const providers = z.array(z.string()).optional();

/** Sign-in token or link code, stored under its hash. */
export const signInToken = oneTime.extend({ providers });

/** Stored session of a user on a phone, with the hashes of its tokens. */
export const sessionRecord = madeBy.pick({ key_id: true }).extend({
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
export const dependentOf = ({ team_id, user_id, key_id, created_at: made_at }: Session) => ({
  ...{ team_id, user_id, key_id, made_at },
});

/** Expiry of the tokens of a session that starts or refreshes now. @param createdAt time of the sign-in, ISO 8601. */
export function endsOf(createdAt: string, nowMs: number) {
  const lastMs = Date.parse(createdAt) + SESSION_MS;
  const within = (ms: number) => new Date(Math.min(nowMs + ms, lastMs)).toISOString();
  return { access_ends_at: within(ACCESS_MS), refresh_ends_at: within(IDLE_MS) };
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
