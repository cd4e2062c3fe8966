import * as z from "zod";
import { consoleRoleNames } from "../../contract/console/console-roles.ts";
import { keyScopeNames } from "../../contract/key-scopes.ts";
import { openEnum } from "../../contract/open-enum.ts";
import { environments, regions } from "../management/records.ts";
import type { ConsoleSession } from "./console-session.ts";

/** Name of the person behind a session, as the access log shows it. */
export const consoleName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "No control characters");

/** A console session in a list. */
export const wireListedSession = z
  .object({
    session_id: z.guid(),
    role: openEnum(consoleRoleNames),
    name: z.string().describe("The person behind the session, as the access log shows it"),
    subject: z.string().optional().describe("The person's subject, if they signed in at the provider of the team"),
    created_at: z.string(),
    expires_at: z.string(),
    idle_expires_at: z.string().describe("When the session ends unless its person does something"),
  })
  .meta({ id: "ListedConsoleSession" });

/** The session of a request, with its team and its rights. */
export const wireConsoleSession = wireListedSession
  .extend({
    org_id: z.guid(),
    team_id: z.guid(),
    team_name: z.string(),
    environment: openEnum(environments),
    region: openEnum(regions),
    manages_team: z
      .boolean()
      .describe("Whether the session also calls operations of the management API, at `/console`"),
    asks_reason: z.boolean().describe("Whether calls on data of one user need the header `x-console-reason`"),
    scopes: z.array(openEnum(keyScopeNames)).describe("The scopes of the role that the key of the session has"),
  })
  .meta({ id: "ConsoleSession" });

/** Converts a session to its form in a list. */
export const toListedSession = ({ session_id, role, name, subject, created_at, ...session }: ConsoleSession) => ({
  ...{ session_id, role, name, created_at },
  ...(subject === undefined ? {} : { subject }),
  expires_at: session.ends_at,
  // Sessions of earlier versions have no idle time.
  idle_expires_at: session.idle_ends_at < session.ends_at ? session.idle_ends_at : session.ends_at,
});
