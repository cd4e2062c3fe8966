import * as z from "zod";
import { consoleRoleNames } from "../../contract/console/console-roles.ts";

/** Maximum length of a console session: a working day. */
const CONSOLE_SESSION_TTL_MS = 8 * 60 * 60 * 1000;

const MINUTE_MS = 60_000;
/** Minutes after which a session ends if its person does nothing. A ticket may choose others. */
export const DEFAULT_IDLE_MINUTES = 30;
export const idleMinutes = z.int().min(5).max(480);

export const consoleRole = z.enum(consoleRoleNames);

/** A console session as stored: the hash of its token, never the token, and nothing of a user. */
export const consoleSession = z.object({
  team_id: z.string(),
  session_id: z.string(),
  /** The key that opened the session. The session ends with it. */
  key_id: z.string(),
  role: consoleRole,
  name: z.string(),
  /** The subject at the provider of the team; absent if the person signed in with a key or a ticket. */
  subject: z.string().optional(),
  sha256: z.string(),
  created_at: z.string(),
  /** ISO 8601. */
  ends_at: z.string(),
  /** Absent in sessions of earlier versions, which end after their whole length only. */
  idle_minutes: idleMinutes.default(480),
  /** When the session ends unless its person does something, ISO 8601. */
  idle_ends_at: z.string().default("9999"),
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

/** When a session ends unless its person does something: no later than the session itself. @returns ISO 8601. */
export function idleEnd({ ends_at, idle_minutes }: Pick<ConsoleSession, "ends_at" | "idle_minutes">, nowMs: number) {
  const idleMs = nowMs + idle_minutes * MINUTE_MS;
  return new Date(Math.min(idleMs, Date.parse(ends_at))).toISOString();
}

/** Whether a session has not ended. @param now ISO 8601. */
export const isOpen = ({ ends_at, idle_ends_at }: Pick<ConsoleSession, "ends_at" | "idle_ends_at">, now: string) =>
  ends_at > now && idle_ends_at > now;
