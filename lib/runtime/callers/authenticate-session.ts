import { accessTokenHeader } from "../../contract/compatibility.ts";
import { authenticationAccess } from "../../contract/endpoint.ts";
import { parseSessionToken, verifyToken } from "../../crypto/opaque-token.ts";
import type { Session } from "../../domain/connections/link/session.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized, UserNotFound } from "../errors.ts";
import { isoNow } from "../ports.ts";
import { findSessionParents, type SessionParents } from "./find-session-parents.ts";
import { readThroughCache } from "./identity-cache.ts";

/** A user who is signed in on a phone. */
export interface SessionCaller extends SessionParents {
  readonly scope: TeamScope;
  readonly session: Session;
  /** The API key that signed the user in, if recorded. */
  readonly keyId?: string | undefined;
}

/**
 * Authenticates the access token of a session, whose key and team must be valid.
 * @throws Unauthorized for an invalid or expired token; UserNotFound if the user was deleted; ConnectionEnded if all
 * providers of the session were disconnected.
 */
export async function authenticateSession(
  headers: Readonly<Record<string, string | undefined>>,
): Promise<SessionCaller> {
  const text = /^Bearer (\S+)$/i.exec(headers[accessTokenHeader] ?? "")?.[1];
  if (text === undefined) throw new Unauthorized(`The header ${accessTokenHeader} is missing.`);
  const name = parseSessionToken("sa", text);
  if (!name) throw new Unauthorized("The access token is not valid for this API.");
  const { sessions, keys, teams, users } = await resolveDependencies(authenticationAccess.session);
  const scope = TeamScope.grant(name.team_id);
  const session = await sessions.get(scope, name.user_id, name.session_id);
  const parents = {
    teams,
    // Phones call often. Cache the key for a minute, as for calls with the key itself.
    keys: { get: (id: string) => readThroughCache(`key ${id}`, () => keys.get(id)) },
    // Distinguish a deleted user, since the phone must not try to sign in again.
    users: { get: async (of: TeamScope, id: string) => (await users.get(of, id)) ?? userIsGone() },
  };
  const isLive = session && verifyToken(text, session.access_sha256) && session.access_ends_at > isoNow();
  const found = isLive ? await findSessionParents(session, parents) : undefined;
  if (!isLive || !found) throw new Unauthorized("The access token is no longer valid.");
  return { scope, ...found, session, keyId: session.key_id };
}

function userIsGone(): never {
  throw new UserNotFound();
}
