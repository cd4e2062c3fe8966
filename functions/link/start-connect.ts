import * as z from "zod";
import { grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOAuthSource } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { requireLinkable } from "../../lib/runtime/callers/require-linkable.ts";
import { LinkRefused, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readTeamLink, readTeamLinkAccess } from "../../lib/services/connections/link/team-link.ts";
import {
  createOAuthSource,
  createOAuthSourceAccess,
} from "../../lib/services/connections/oauth/create-oauth-source.ts";

/** Begins OAuth for a link token of the team, as `generateOauthLink` does for the holder of the token. */
export const contract = endpoint({
  operationId: "startConnect",
  method: "POST",
  path: "/v2/link/start",
  tag: "link",
  summary: "Begin the OAuth of a link token",
  description: [
    "Creates the URL that starts OAuth in the user's browser, for a link token of the team.",
    "Send the browser to `oauth_url` at once: it is valid once, for ten minutes.",
    "",
    "A token that is unknown, of another team, used or expired is refused with 400 and its `error_type`.",
    "So is a provider that the token does not allow, or that users do not connect by OAuth.",
    "A page without an API key calls `GET /v2/link/provider/oauth/{oauth_provider}` instead, with the token alone.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({ link_token: z.string().min(1).max(1_000), provider: knownProvider }),
  response: wireOAuthSource,
  errors: [LinkRefused, NotPossible, UserNotFound],
  access: grants(readTeamLinkAccess, createOAuthSourceAccess),
});

export const handler = implement(contract, async ({ scope, body: { link_token, provider } }, deps) => {
  const link = await readTeamLink(scope, link_token, deps);
  if ("error_type" in link) throw new LinkRefused(link.error_type, link.error);
  requireLinkable(link, { provider });
  return createOAuthSource(deps, link, provider);
});
