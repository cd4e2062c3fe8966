import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { consoleRequestHeader, consoleSessionHeader, teamKeyHeaders } from "../../../contract/compatibility.ts";
import { consoleScopes } from "../../../contract/console/console-roles.ts";
import { authenticationAccess } from "../../../contract/endpoint.ts";
import type { KeyScope } from "../../../contract/key-scopes.ts";
import { parseConsoleToken, verifyToken } from "../../../crypto/opaque-token.ts";
import { type ConsoleSession, isOpen } from "../../../domain/console/console-session.ts";
import type { KeyRecord, Team } from "../../../domain/management/records.ts";
import { TeamScope } from "../../../store/team-scope.ts";
import { resolveDependencies } from "../../dependencies.ts";
import { Unauthorized } from "../../errors.ts";
import { consoleToken } from "../../http/console-cookie.ts";
import { isoNow } from "../../ports.ts";
import { isCreatorKeyValid } from "../credential-validity.ts";
import { readThroughCache } from "../identity-cache.ts";

/** A person who is signed in to the console of a team. */
export interface ConsoleCaller {
  readonly scope: TeamScope;
  readonly team: Team;
  /** The key that opened the session. */
  readonly key: KeyRecord;
  readonly keyId: string;
  /** Scopes of the session: those of its role that its key has. */
  readonly scopes: readonly KeyScope[];
  readonly consoleSession: ConsoleSession;
  /** The header of the key that the session stands for. */
  readonly header: string;
}

/** The parts of a request that carry a credential. */
export type CredentialParts = Pick<APIGatewayProxyEventV2, "headers" | "cookies" | "rawPath">;
type CookieParts = Omit<CredentialParts, "rawPath">;

/**
 * Returns the token of a console session in a request; undefined if there is none, or without the header of the
 * console. Browsers also send cookies when a page of another origin caused the request, but never this header then.
 */
export function findConsoleToken({ headers, cookies = [] }: CookieParts): string | undefined {
  return headers[consoleRequestHeader] === "1" ? consoleToken(cookies) : undefined;
}

/**
 * Authenticates the session of a person in the console.
 * @throws Unauthorized unless the request carries the cookie of an open session and the header of the console. Also for a
 * page that shows another session than that of the cookie. The detail says why a session has ended.
 */
export async function authenticateConsole(request: CookieParts): Promise<ConsoleCaller> {
  const token = findConsoleToken(request);
  const found = token === undefined ? "The console has no open session." : await readCaller(token);
  if (typeof found === "string") throw new Unauthorized(found);
  const shown = request.headers[consoleSessionHeader];
  if (shown !== undefined && shown !== found.consoleSession.session_id)
    throw new Unauthorized("Another sign-in in this browser replaced the session of this page.");
  return found;
}

/** Finds the caller of a session token; undefined if the session has ended, or its key or team is not valid. */
export async function findConsoleCaller(token: string): Promise<ConsoleCaller | undefined> {
  const found = await readCaller(token);
  return typeof found === "string" ? undefined : found;
}

/** Reads the caller of a session token. @returns a sentence if there is none. */
async function readCaller(token: string): Promise<ConsoleCaller | string> {
  const name = parseConsoleToken(token);
  if (!name) return "The console has no open session.";
  const { consoleSessions, keys, teams } = await resolveDependencies(authenticationAccess.console);
  const scope = TeamScope.grant(name.team_id);
  const session = await consoleSessions.get(scope, name.session_id);
  // The item of a session is deleted with it, and long after its end.
  if (!session || !verifyToken(token, session.sha256))
    return "The session has ended: an admin ended it, or its time was over.";
  if (!isOpen(session, isoNow())) return "The session has ended: its idle time or its longest time was over.";
  const { team_id, key_id, created_at } = session;
  // A page calls often. Cache key and team for a minute, as for calls with the key itself.
  const key = await readThroughCache(`key ${key_id}`, () => keys.get(key_id));
  const team = await readThroughCache(`team ${team_id}`, () => teams.get(team_id));
  if (!key || !team || !(await isCreatorKeyValid(key, { made_at: created_at }, team)))
    return "The session has ended: its key or team was deleted, or its credentials were revoked.";
  const scopes = consoleScopes(session.role, key.scopes);
  return { scope, team, key, keyId: key_id, scopes, consoleSession: session, header: teamKeyHeaders[0] };
}
