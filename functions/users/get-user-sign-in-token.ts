import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { signInTokens, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { generateToken } from "../../lib/crypto/opaque-token.ts";
import { SIGN_IN_TOKEN_TTL_MS } from "../../lib/domain/connections/link/session.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

export const contract = endpoint({
  operationId: "getUserSignInToken",
  method: "POST",
  path: "/v2/user/{user_id}/sign_in_token",
  tag: "users",
  summary: "Create a sign-in token",
  description: [
    "Creates a token with which your app on a phone signs the user in.",
    "The app exchanges it at `POST /v2/sdk/session`, once and within an hour.",
    "For a user who types or scans a code instead, use `POST /v2/link/code/create`.",
    "Each call creates a new token; earlier ones stay valid until they expire.",
  ],
  auth: "team",
  keyScope: "link",
  params: userParams,
  query: noFields,
  response: z.object({ user_id: z.guid(), sign_in_token: z.string() }).meta({ id: "SignInToken" }),
  errors: [UserNotFound],
  access: [getItem(users), putItem(signInTokens)],
});

export const handler = implement(contract, async ({ scope, keyId, params: { user_id } }, { users, signInTokens }) => {
  if (!(await users.get(scope, user_id))) throw new UserNotFound();
  const signInToken = generateToken("si", ports().ids.bytes);
  const ends_at = new Date(ports().clock.now() + SIGN_IN_TOKEN_TTL_MS).toISOString();
  await signInTokens.create(signInToken.sha256, {
    team_id: scope.teamId,
    user_id,
    key_id: keyId,
    made_at: isoNow(),
    ends_at,
  });
  return { user_id, sign_in_token: signInToken.token };
});
