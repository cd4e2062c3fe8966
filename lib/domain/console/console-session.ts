import * as z from "zod";
import { consoleRoleNames } from "../../contract/console/console-roles.ts";

/** Maximum length of a console session: a working day. */
const CONSOLE_SESSION_TTL_MS = 8 * 60 * 60 * 1000;

export const consoleRole = z.enum(consoleRoleNames);

/** A console session as stored: the hash of its token, never the token, and nothing of a user. */
export const consoleSession = z.object({
  team_id: z.string(),
  session_id: z.string(),
  /** The key that opened the session. The session ends with it. */
  key_id: z.string(),
  role: consoleRole,
  name: z.string(),
  sha256: z.string(),
  created_at: z.string(),
  /** ISO 8601. */
  ends_at: z.string(),
});
export type ConsoleSession = z.output<typeof consoleSession>;

/**
 * When a session that starts now ends: after a working day, and no later than its key.
 * @param keyExpiresAt expiry of the key, epoch seconds. @returns ISO 8601.
 */
export function consoleSessionEnd(nowMs: number, keyExpiresAt: number | undefined): string {
  const lastMs = keyExpiresAt === undefined ? Number.POSITIVE_INFINITY : keyExpiresAt * 1000;
  return new Date(Math.min(nowMs + CONSOLE_SESSION_TTL_MS, lastMs)).toISOString();
}
