import * as z from "zod";
import { get, put, update } from "../../lib/contract/access.ts";
import { endpoint, parentAccess } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { sessions, signInTokens, usage } from "../../lib/contract/resources.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import { wireSession } from "../../lib/domain/linking/session.ts";
import { Unauthorized } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { newSession } from "../../lib/runtime/linking/session-tokens.ts";
import { livingParent } from "../../lib/runtime/parent-alive.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Signs a user in on a phone with an unused sign-in token or link code. */
export const contract = endpoint({
  operationId: "createSession",
  method: "POST",
  path: "/v2/sdk/session",
  tag: "sdk",
  summary: "Create a phone session",
  auth: "none",
  params: nothing,
  query: nothing,
  body: z.object({ sign_in_token: z.string().min(1).max(200) }),
  response: wireSession,
  access: [get(signInTokens), update(signInTokens), ...parentAccess, put(sessions), update(usage)],
});

const refused = () => new Unauthorized("The sign-in token is invalid or was already used.");

export const handler = implement(contract, async ({ body }, { signInTokens, sessions, commit, ...uses }) => {
  const hash = sha256(body.sign_in_token);
  const token = await signInTokens.get(hash);
  const scope = token && TeamScope.grant(token.team_id);
  if (!scope || !(await livingParent(token, uses))) throw refused();
  const { team_id, user_id, key_id, providers } = token;
  const session_id = ports().ids.uuid();
  const made = newSession({ team_id, user_id, session_id, key_id, providers }, isoNow());
  try {
    await commit([signInTokens.useItem(hash, isoNow()), sessions.createItem(scope, made.session)]);
  } catch (error) {
    throw error instanceof ConditionFailed ? refused() : error;
  }
  return made.wire;
});
