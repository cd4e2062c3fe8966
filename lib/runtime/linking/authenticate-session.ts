import { accessTokenHeader } from "../../contract/dialect.ts";
import { authAccess } from "../../contract/endpoint.ts";
import { isToken, sessionOf } from "../../crypto/opaque-token.ts";
import type { Team } from "../../domain/identity.ts";
import type { Session } from "../../domain/linking/session.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { Unauthorized } from "../errors.ts";
import { isoNow } from "../ports.ts";
import { usesOf } from "../uses.ts";

/** Who calls from a phone: a user who is signed in there. */
export interface SessionCaller {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly session: Session;
}

/** @throws Unauthorized unless the headers carry the access token of a session that lives, of a team that exists. */
export async function authenticateSession(
  headers: Readonly<Record<string, string | undefined>>,
): Promise<SessionCaller> {
  const text = /^Bearer (\S+)$/i.exec(headers[accessTokenHeader] ?? "")?.[1];
  if (text === undefined) throw new Unauthorized(`The header ${accessTokenHeader} is missing.`);
  const name = sessionOf("sa", text);
  if (!name) throw new Unauthorized("The access token is not valid for this interface.");
  const { sessions, teams } = await usesOf(authAccess.session);
  const scope = TeamScope.grant(name.team_id);
  const session = await sessions.get(scope, name.user_id, name.session_id);
  const isLive = session && isToken(text, session.access_sha256) && session.access_ends_at > isoNow();
  const team = isLive ? await teams.get(name.team_id) : undefined;
  if (!isLive || !team) throw new Unauthorized("The access token is not valid any more.");
  return { scope, team, session };
}
