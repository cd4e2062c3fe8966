import { Forbidden } from "../../errors.ts";
import type { ManagementCaller } from "../authenticate.ts";
import { isManagementKey } from "../management-access.ts";
import { authenticateConsole, type CredentialParts } from "./authenticate-console.ts";

/**
 * Authenticates the session of a person on a route of the management API. The caller is the management key that created
 * the ticket of the session, limited to the team of the session.
 * @throws Unauthorized without an open session; Forbidden if another key opened it, because a session has no more rights
 * than its key.
 */
export async function authenticateConsoleManagement(request: CredentialParts): Promise<ManagementCaller> {
  const { key, team, consoleSession } = await authenticateConsole(request);
  if (!isManagementKey(key)) {
    throw new Forbidden("This needs a session of a management key. Sign in with a ticket that your backend creates.");
  }
  return { key: { ...key, kind: "team_admin", team_ids: [team.team_id] }, consoleSession };
}
