import * as z from "zod";
import { deleteItem, getItem, putItem, updateItem } from "../../lib/contract/access.ts";
import { credentialParentAccess, endpoint } from "../../lib/contract/endpoint.ts";
import { sessions, usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { parseSessionToken, verifyToken } from "../../lib/crypto/opaque-token.ts";
import { wireSession } from "../../lib/domain/connections/link/session.ts";
import { findSessionParents } from "../../lib/runtime/callers/find-session-parents.ts";
import { ConnectionEnded, Unauthorized } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { newSession } from "../../lib/services/connections/phones/session-tokens.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** A reused refresh token ends the session, as RFC 9700 asks in section 4.14. */
export const contract = endpoint({
  operationId: "refreshSession",
  method: "POST",
  path: "/v2/sdk/session/refresh",
  tag: "sdk",
  summary: "Refresh a phone session",
  description: [
    "Exchanges the refresh token of a session for a new pair of tokens, before or after the access token expires.",
    "A refresh token works once, and the access token before it stops working.",
    "A second use of a refresh token ends the session, because the service cannot tell the phone from a thief.",
    "So store the new tokens before you use them, and never refresh twice at the same time.",
    "Each refresh extends the session by 90 days, up to 400 days after the sign-in.",
    "An invalid token answers `unauthorized`: the user must sign in again.",
    "The answer `connection_ended` means that the user was disconnected: sign in anew only if they want that.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  body: z.object({ refresh_token: z.string().min(1).max(200) }),
  response: wireSession,
  errors: [Unauthorized, ConnectionEnded],
  access: [...credentialParentAccess, getItem(sessions), putItem(sessions), deleteItem(sessions), updateItem(usage)],
});

const invalidRefreshToken = () => new Unauthorized("The refresh token is no longer valid.");

export const handler = implement(contract, async ({ body: { refresh_token } }, { sessions, ...deps }) => {
  const name = parseSessionToken("sr", refresh_token);
  if (!name) throw invalidRefreshToken();
  const scope = TeamScope.grant(name.team_id);
  const session = await sessions.get(scope, name.user_id, name.session_id);
  if (!session || session.refresh_ends_at <= isoNow()) throw invalidRefreshToken();
  if (!(await findSessionParents(session, deps))) throw invalidRefreshToken();
  const renewed = newSession(session, session.created_at);
  const isCurrent = verifyToken(refresh_token, session.refresh_sha256);
  if (isCurrent && (await sessions.refresh(scope, session, renewed.session))) return renewed.wire;
  // Only tokens of the session contain its id, so this token was used before.
  await sessions.delete(scope, name.user_id, name.session_id);
  throw invalidRefreshToken();
});
