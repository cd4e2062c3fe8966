import { portalSessionHeader } from "../../contract/compatibility.ts";
import { authenticationAccess } from "../../contract/endpoint.ts";
import { sha256 } from "../../crypto/api-key.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized } from "../errors.ts";
import { ports } from "../ports.ts";
import { findTeamOfValidCredential } from "./credential-validity.ts";

/** A caller of the webhook portal: a team, through a link that one of its API keys requested. */
export interface PortalCaller {
  readonly scope: TeamScope;
  /** The API key that requested the link. */
  readonly keyId: string;
}

/** @throws Unauthorized unless the headers carry the secret of an unexpired link with valid parents. */
export async function authenticatePortal(headers: Readonly<Record<string, string | undefined>>): Promise<PortalCaller> {
  const secret = headers[portalSessionHeader];
  if (!secret) throw new Unauthorized(`The header ${portalSessionHeader} is missing.`);
  const { portalSessions, ...deps } = await resolveDependencies(authenticationAccess.portal);
  const session = await portalSessions.get(sha256(secret));
  const isOver = !session || session.expires_at * 1000 <= ports().clock.now();
  if (isOver || !(await findTeamOfValidCredential(session, deps)))
    throw new Unauthorized("The link is no longer valid.");
  return { scope: TeamScope.grant(session.team_id), keyId: session.key_id };
}
