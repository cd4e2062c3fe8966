import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireOAuthSource, wireOAuthSource } from "../../lib/domain/connections/link/wire-link-source.ts";
import { findProvider, knownProvider } from "../../lib/domain/connections/providers/providers.ts";
import { LinkRefused, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";
import {
  createOAuthTicket,
  createOAuthTicketAccess,
  requireOAuthConnector,
} from "../../lib/services/connections/oauth/start-oauth.ts";

/** Creates the URL that starts OAuth in the user's browser. The URL is valid once, for ten minutes. */
export const contract = endpoint({
  operationId: "generateOauthLink",
  method: "GET",
  path: "/v2/link/provider/oauth/{oauth_provider}",
  tag: "link",
  summary: "Create an authorization URL for a provider",
  auth: "link",
  params: z.object({ oauth_provider: knownProvider }),
  query: noFields,
  response: wireOAuthSource,
  errors: [UserNotFound, LinkRefused, NotPossible],
  access: [getItem(users), ...createOAuthTicketAccess],
});

export const handler = implement(contract, async (caller, deps) => {
  const { scope, token, params } = caller;
  const connector = await requireOAuthConnector(params.oauth_provider);
  if (!(await deps.users.get(scope, token.user_id))) throw new UserNotFound();
  const oauth_url = await createOAuthTicket(deps, caller, connector);
  const about = { oauth_url, backfill_num_days: connector.historyDays };
  return toWireOAuthSource(findProvider(connector.slug)!, baseUrl(), about);
});
