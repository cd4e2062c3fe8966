import * as z from "zod";
import { madeBy } from "../made-by.ts";

/** How long a sign-in token may wait to be exchanged. */
export const SIGN_IN_MS = 60 * 60 * 1000;
/** How long access lasts before it is to be refreshed. */
export const ACCESS_MS = 60 * 60 * 1000;
/** A session ends that was not refreshed for so long. */
const IDLE_MS = 400 * 24 * 60 * 60 * 1000;
/** A code may be good for so long at most. */
export const MOST_CODE_MS = 30 * 24 * 60 * 60 * 1000;

/** A user who is signed in on a phone, as stored; of its tokens only the hashes are known. */
export const sessionRecord = madeBy.pick({ key_id: true }).extend({
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

/** When access and session end that begin or are refreshed now. */
export const endsOf = (nowMs: number) => ({
  access_ends_at: new Date(nowMs + ACCESS_MS).toISOString(),
  refresh_ends_at: new Date(nowMs + IDLE_MS).toISOString(),
});

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
