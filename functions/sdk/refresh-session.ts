import * as z from "zod";
import { get, put, remove, update } from "../../lib/contract/access.ts";
import { endpoint, parentAccess } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { sessions, usage } from "../../lib/contract/resources.ts";
import { isToken, sessionOf } from "../../lib/crypto/opaque-token.ts";
import { dependentOf, wireSession } from "../../lib/domain/linking/session.ts";
import { Unauthorized } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { newSession } from "../../lib/runtime/linking/session-tokens.ts";
import { livingParent } from "../../lib/runtime/parent-alive.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Exchanges the refresh token of a session for new tokens. A reused refresh token ends the session: two parties hold
 * the token, and the service cannot tell which one is the phone (RFC 9700, section 4.14).
 */
export const contract = endpoint({
  operationId: "refreshSession",
  method: "POST",
  path: "/v2/sdk/session/refresh",
  tag: "sdk",
  summary: "Refresh a phone session",
  auth: "none",
  params: nothing,
  query: nothing,
  body: z.object({ refresh_token: z.string().min(1).max(200) }),
  response: wireSession,
  access: [...parentAccess, get(sessions), put(sessions), remove(sessions), update(usage)],
});

const refused = () => new Unauthorized("The refresh token is no longer valid.");

export const handler = implement(contract, async ({ body: { refresh_token } }, { sessions, ...uses }) => {
  const name = sessionOf("sr", refresh_token);
  if (!name) throw refused();
  const scope = TeamScope.grant(name.team_id);
  const session = await sessions.get(scope, name.user_id, name.session_id);
  if (!session || session.refresh_ends_at <= isoNow()) throw refused();
  if (!(await livingParent(dependentOf(session), uses))) throw refused();
  const made = newSession(session, session.created_at);
  const isCurrent = isToken(refresh_token, session.refresh_sha256);
  if (isCurrent && (await sessions.refresh(scope, session, made.session))) return made.wire;
  // Only tokens of the session contain its id, so this token was used before.
  await sessions.end(scope, name.user_id, name.session_id);
  throw refused();
});
