import * as z from "zod";
import { consoleRoleNames } from "../../contract/console-roles.ts";
import { keyScopeNames } from "../../contract/key-scopes.ts";
import { openEnum } from "../../contract/open-enum.ts";
import { issuedBy } from "../management/issued-by.ts";
import { environments } from "../management/records.ts";

/** Maximum length of a console session: a working day. */
export const CONSOLE_SESSION_TTL_MS = 8 * 60 * 60 * 1000;
/** Time to live of a ticket that opens a session. */
export const CONSOLE_TICKET_TTL_MS = 10 * 60 * 1000;

export const consoleRole = z.enum(consoleRoleNames);

/** Name of the person behind a session, as the access log shows it. */
export const consoleName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "No control characters");

/** A ticket that opens one session, stored under its hash. */
export const consoleTicket = issuedBy.extend({
  team_id: z.string(),
  /** The management key that created the ticket. */
  key_id: z.string(),
  role: consoleRole,
  name: z.string(),
  /** ISO 8601. */
  ends_at: z.string(),
  used_at: z.string().optional(),
});
export type ConsoleTicket = z.output<typeof consoleTicket>;

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

/** Parent of a session, whose revocation ends the session. */
export const consoleSessionParent = ({ team_id, key_id, created_at: made_at }: ConsoleSession) => ({
  ...{ team_id, key_id, made_at },
});

/**
 * When a session that starts now ends: after a working day, and no later than its key.
 * @param keyExpiresAt expiry of the key, epoch seconds. @returns ISO 8601.
 */
export function consoleSessionEnd(nowMs: number, keyExpiresAt: number | undefined): string {
  const lastMs = keyExpiresAt === undefined ? Number.POSITIVE_INFINITY : keyExpiresAt * 1000;
  return new Date(Math.min(nowMs + CONSOLE_SESSION_TTL_MS, lastMs)).toISOString();
}

/** A console session in a list. */
export const wireListedSession = z
  .object({
    session_id: z.guid(),
    role: openEnum(consoleRoleNames),
    name: z.string().describe("The person behind the session, as the access log shows it"),
    created_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: "ListedConsoleSession" });

/** The session of a request, with its team and its rights. */
export const wireConsoleSession = wireListedSession
  .extend({
    team_id: z.guid(),
    team_name: z.string(),
    environment: openEnum(environments),
    scopes: z.array(openEnum(keyScopeNames)).describe("The scopes of the role that the key of the session has"),
  })
  .meta({ id: "ConsoleSession" });

/** Converts a session to its form in a list. */
export const toListedSession = ({ session_id, role, name, created_at, ends_at }: ConsoleSession) => ({
  ...{ session_id, role, name, created_at },
  expires_at: ends_at,
});
