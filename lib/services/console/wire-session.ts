import type * as z from "zod";
import type { KeyScope } from "../../contract/key-scopes.ts";
import type { ConsoleSession } from "../../domain/console/console-session.ts";
import { toListedSession, type wireConsoleSession } from "../../domain/console/wire-console-session.ts";
import type { KeyRecord, Team } from "../../domain/management/records.ts";
import { managesTeam } from "../../runtime/callers/management-access.ts";
import { deployment } from "../../runtime/deployment.ts";

/** Converts a session to its wire form, with the rights that it has now. */
export function toWireSession(
  session: ConsoleSession,
  { org_id, team_id, name, settings }: Team,
  { key, scopes }: { readonly key: KeyRecord; readonly scopes: readonly KeyScope[] },
): z.output<typeof wireConsoleSession> {
  const rights = {
    scopes: [...scopes],
    manages_team: managesTeam(key),
    asks_reason: settings.console_reasons,
  };
  return { ...toListedSession(session), org_id, team_id, team_name: name, ...deployment(), ...rights };
}
