import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { openEnum } from "../../lib/contract/open-enum.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { linkTokenStateOf, linkTokenStates } from "../../lib/domain/connections/link/link-token.ts";
import { listConnections } from "../../lib/domain/users/user.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";

/** Tells the holder of a link token how far the link is, also after the token was used or has expired. */
export const contract = endpoint({
  operationId: "tokenState",
  method: "GET",
  path: "/v2/link/state",
  tag: "link",
  summary: "Retrieve the state of a link token",
  description: [
    "Tells how far the link of this token is. A page can poll it while the user is at the provider.",
    "",
    "- `pending`: the token can connect a provider until `expires_at`",
    "- `connected`: the token has connected a provider at `connected_at`",
    "- `expired`: the token has connected nothing, and cannot any more",
    "",
    "`provider` is the provider that the token connected; null before, and once the user connects it anew or ends it.",
    "The state stays readable for a day after `expires_at`. Then the token gives access to this and to its consent only.",
  ],
  auth: "link",
  acceptsEndedLinks: true,
  params: noFields,
  query: noFields,
  response: z
    .object({
      state: openEnum(linkTokenStates),
      provider: z.string().nullable(),
      connected_at: z.string().nullable(),
      expires_at: z.string(),
    })
    .meta({ id: "LinkTokenState" }),
  errors: [UserNotFound],
  access: [getItem(users)],
});

export const handler = implement(contract, async ({ scope, token }, { users }) => {
  const user = await users.get(scope, token.user_id);
  if (!user) throw new UserNotFound();
  const { used_at: connected_at = null, ends_at: expires_at } = token;
  // One transaction uses the token and creates the connection, at the same instant.
  const isMadeByToken = ([, { created_on }]: [string, { created_on: string }]) => created_on === connected_at;
  const [provider = null] = listConnections(user).find(isMadeByToken) ?? [];
  return { state: linkTokenStateOf(token, isoNow()), provider, connected_at, expires_at };
});
