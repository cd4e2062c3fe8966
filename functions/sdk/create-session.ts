import * as z from "zod";
import { getItem, putItem, updateItem } from "../../lib/contract/access.ts";
import { credentialParentAccess, endpoint } from "../../lib/contract/endpoint.ts";
import { sessions, signInTokens, usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import { wireSession } from "../../lib/domain/connections/link/session.ts";
import { findTeamOfValidCredential } from "../../lib/runtime/callers/credential-validity.ts";
import { Unauthorized } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { newSession } from "../../lib/services/connections/phones/session-tokens.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

export const contract = endpoint({
  operationId: "createSession",
  method: "POST",
  path: "/v2/sdk/session",
  tag: "sdk",
  summary: "Create a phone session",
  description: [
    "Signs a user in on a phone: exchanges a sign-in token or link code for the tokens of a session.",
    "Each code works once; a used, expired or revoked one answers `unauthorized`.",
    "The access token is valid for an hour, and the refresh token for 90 days.",
    "The session ends 400 days after the sign-in, whatever its refreshes.",
    "It also ends when you delete the API key that created the code, but not when you retire that key.",
    "It signs the phone in; the first `POST /v2/sdk/sync` of a provider connects it.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  body: z.object({ sign_in_token: z.string().min(1).max(200).describe("A sign-in token or a link code") }),
  response: wireSession,
  errors: [Unauthorized],
  access: [
    getItem(signInTokens),
    updateItem(signInTokens),
    ...credentialParentAccess,
    putItem(sessions),
    updateItem(usage),
  ],
});

const invalidSignInToken = () => new Unauthorized("The sign-in token is invalid or was already used.");

export const handler = implement(contract, async ({ body }, { signInTokens, sessions, commit, ...deps }) => {
  const hash = sha256(body.sign_in_token);
  const token = await signInTokens.get(hash);
  const scope = token && TeamScope.grant(token.team_id);
  if (!scope || !(await findTeamOfValidCredential(token, deps))) throw invalidSignInToken();
  const { team_id, user_id, key_id, providers } = token;
  const session_id = ports().ids.uuid();
  const created = newSession({ team_id, user_id, session_id, key_id, providers }, isoNow());
  const items = [signInTokens.consumeItem(hash, isoNow()), sessions.createItem(scope, created.session)];
  await explainConditionFailed(commit(items), invalidSignInToken);
  return created.wire;
});
