import { Forbidden } from "../../errors.ts";
import type { ManagementCaller } from "../authenticate.ts";
import { managesTeam } from "../management-access.ts";
import { authenticateConsole, type CredentialParts } from "./authenticate-console.ts";

/**
 * Authenticates the session of a person on a route of the management API. The caller is the management key that created
 * the ticket of the session, or the key of the provider at which the person signed in, limited to the team of the session.
 * @throws Unauthorized without an open session; Forbidden if another key opened it, because a session has no more rights
 * than its key.
 */
export async function authenticateConsoleManagement(request: CredentialParts): Promise<ManagementCaller> {
  const { key, team, consoleSession } = await authenticateConsole(request);
  if (!managesTeam(key)) {
    throw new Forbidden(
      "An API key may not do this. Sign in with a ticket of your backend, or at the provider of your team.",
    );
  }
  return { key: { ...key, kind: "team_admin", team_ids: [team.team_id] }, consoleSession };
}
