import { portalSessionHeader } from "../contract/dialect.ts";
import { authAccess } from "../contract/endpoint.ts";
import { sha256 } from "../crypto/api-key.ts";
import { TeamScope } from "../store/team-scope.ts";
import { Unauthorized } from "./errors.ts";
import { livingParent } from "./parent-alive.ts";
import { ports } from "./ports.ts";
import { usesOf } from "./uses.ts";

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
  const { portalSessions, ...uses } = await usesOf(authAccess.portal);
  const session = await portalSessions.get(sha256(secret));
  const isOver = !session || session.expires_at * 1000 <= ports().clock.now();
  if (isOver || !(await livingParent(session, uses))) throw new Unauthorized("The link is no longer valid.");
  return { scope: TeamScope.grant(session.team_id), keyId: session.key_id };
}
