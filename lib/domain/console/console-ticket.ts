import * as z from "zod";
import { issuedBy } from "../management/issued-by.ts";
import { consoleRole, DEFAULT_IDLE_MINUTES, idleMinutes } from "./console-session.ts";

/** Time to live of a ticket that opens a session. */
export const CONSOLE_TICKET_TTL_MS = 10 * 60 * 1000;

/** A ticket that opens one session, stored under its hash. */
export const consoleTicket = issuedBy.extend({
  team_id: z.string(),
  /** The management key that created the ticket. */
  key_id: z.string(),
  role: consoleRole,
  name: z.string(),
  idle_minutes: idleMinutes.default(DEFAULT_IDLE_MINUTES),
  /** ISO 8601. */
  ends_at: z.string(),
  used_at: z.string().optional(),
});
