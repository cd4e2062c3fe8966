import * as z from "zod";
import { madeBy } from "../made-by.ts";
import { oneTime } from "./one-time.ts";

/** How long a sign-in token may wait to be exchanged. */
export const SIGN_IN_MS = 60 * 60 * 1000;
/** How long access lasts before it is to be refreshed. */
export const ACCESS_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A session ends that was not refreshed for so long. */
const IDLE_MS = 90 * DAY_MS;
/** A session ends so long after its sign-in, however often it is refreshed. */
const SESSION_MS = 400 * DAY_MS;
/** A code may be good for so long at most. */
export const MOST_CODE_MS = 30 * DAY_MS;

/** The providers on the phone that a sign-in or a session is limited to; absent for any. */
const providers = z.array(z.string()).optional();

/** A sign-in token or code as stored under its hash. */
export const signInToken = oneTime.extend({ providers });

/** A user who is signed in on a phone, as stored; of its tokens only the hashes are known. */
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

/** What a session hangs on, from its sign-in on. */
export const dependentOf = ({ team_id, user_id, key_id, created_at: made_at }: Session) => ({
  ...{ team_id, user_id, key_id, made_at },
});

/** When access and session end that begin or are refreshed now. @param createdAt when the user signed in, ISO 8601. */
export function endsOf(createdAt: string, nowMs: number) {
  const lastMs = Date.parse(createdAt) + SESSION_MS;
  const within = (ms: number) => new Date(Math.min(nowMs + ms, lastMs)).toISOString();
  return { access_ends_at: within(ACCESS_MS), refresh_ends_at: within(IDLE_MS) };
}

/** The tokens of a session as answered, once. */
export const wireSession = z
  .object({
    access_token: z.string(),
    refresh_token: z.string().describe("Good for one refresh; using it again ends the session"),
    expires_in: z.int().describe("Seconds until access has to be refreshed"),
    user_id: z.guid(),
  })
  .meta({ id: "Session" });

/** A sign-in token short enough for a QR code or a link, as answered. */
export const wireLinkCode = z.object({
  code: z.string(),
  exchange_url: z.string().describe("Where the code is posted as sign_in_token"),
  expires_at: z.string(),
});
