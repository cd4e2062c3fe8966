import type * as z from "zod";
import type { KeyScope } from "../../contract/key-scopes.ts";
import type { ConsoleSession } from "../../domain/console/console-session.ts";
import { toListedSession, type wireConsoleSession } from "../../domain/console/wire-console-session.ts";
import type { Team } from "../../domain/management/records.ts";
import { deployment } from "../../runtime/deployment.ts";

/** Converts a session to its wire form, with the scopes that it has now. */
export function toWireSession(
  session: ConsoleSession,
  { team_id, name }: Team,
  scopes: readonly KeyScope[],
): z.output<typeof wireConsoleSession> {
  const { environment } = deployment();
  return { ...toListedSession(session), team_id, team_name: name, environment, scopes: [...scopes] };
}
