import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { consoleRequestHeader } from "../../contract/compatibility.ts";
import { consoleScopes } from "../../contract/console/console-roles.ts";
import { findConsoleToken } from "../../runtime/callers/console/authenticate-console.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { Forbidden } from "../../runtime/errors.ts";
import { Answer } from "../../runtime/http/answer.ts";
import { consoleCookie } from "../../runtime/http/console-cookie.ts";
import type { Log } from "../../runtime/log.ts";
import { endEarlierSession, type OpenedSession } from "./open-session.ts";
import { toWireSession } from "./wire-session.ts";

type Request = Pick<APIGatewayProxyEventV2, "headers" | "cookies">;

/** @throws Forbidden for a request without the header of the console, as of a page of another site. */
export function requireConsoleRequest({ headers }: Request): void {
  if (headers[consoleRequestHeader] === "1") return;
  throw new Forbidden(`A sign-in to the console requires the header ${consoleRequestHeader}: 1.`);
}

/**
 * Answers a sign-in with the opened session and its cookie, and ends the session that the browser had.
 * @param more fields and cookies besides.
 */
export async function answerSignIn(
  { session, team, key, token }: OpenedSession,
  { event, log }: { readonly event: Request; readonly log: Log },
  deps: Dependencies<"consoleSessions">,
  more: { readonly fields?: object; readonly cookies?: readonly string[] } = {},
): Promise<Answer> {
  await endEarlierSession(findConsoleToken(event), deps);
  log.info("a console session was opened", {
    team_id: team.team_id,
    session_id: session.session_id,
    role: session.role,
  });
  const lifetimeS = Math.floor((Date.parse(session.ends_at) - Date.parse(session.created_at)) / 1000);
  const wire = toWireSession(session, team, { key, scopes: consoleScopes(session.role, key.scopes) });
  const cookies = [consoleCookie(token, lifetimeS), ...(more.cookies ?? [])];
  return new Answer(JSON.stringify({ ...wire, ...more.fields }), { cookies });
}
