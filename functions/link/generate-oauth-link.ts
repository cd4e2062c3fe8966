import * as z from "zod";
import { offerOAuth, requireConnector } from "../../lib/connections/starting-oauth.ts";
import { get, open, put, reveal } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import {
  credentialsKey,
  customCredentials,
  oauthTickets,
  providerApps,
  scopeRequirements,
  users,
} from "../../lib/contract/resources.ts";
import { toWireOAuthSource, wireOAuthSource } from "../../lib/domain/linking/wire-link-source.ts";
import { findProvider, knownProvider } from "../../lib/domain/sources/providers.ts";
import { LinkRefused, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

/** Creates the URL that starts OAuth in the user's browser. The URL is valid once, for ten minutes. */
export const contract = endpoint({
  operationId: "generateOauthLink",
  method: "GET",
  path: "/v2/link/provider/oauth/{oauth_provider}",
  tag: "link",
  summary: "Create an authorization URL for a provider",
  auth: "link",
  params: z.object({ oauth_provider: knownProvider }),
  query: nothing,
  response: wireOAuthSource,
  errors: [UserNotFound, LinkRefused, NotPossible],
  access: [
    ...([get(users), get(customCredentials), get(scopeRequirements)] as const),
    ...([open(credentialsKey, "custom_credentials"), reveal(providerApps), put(oauthTickets)] as const),
  ],
});

export const handler = implement(contract, async (caller, uses) => {
  const { scope, token, params } = caller;
  const connector = await requireConnector(params.oauth_provider);
  if (!(await uses.users.get(scope, token.user_id))) throw new UserNotFound();
  const oauth_url = await offerOAuth(uses, caller, connector);
  const about = { oauth_url, backfill_num_days: connector.historyDays };
  return toWireOAuthSource(findProvider(connector.slug)!, baseUrl(), about);
});
