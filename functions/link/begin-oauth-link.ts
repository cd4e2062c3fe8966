import * as z from "zod";
import { getItem, putItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { oauthAttempts, oauthTickets, usage } from "../../lib/contract/resources.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { redirectTo, toLinkErrorAnswer } from "../../lib/services/connections/link/link-redirect.ts";
import { startOAuth } from "../../lib/services/connections/oauth/start-oauth.ts";

export const contract = endpoint({
  operationId: "beginOauthLink",
  method: "GET",
  path: "/v2/link/authorize/{provider}",
  tag: "link",
  summary: "Redirect a browser to a provider's authorization page",
  description: [
    "Redirects the user's browser to the consent page of the provider and sets a cookie.",
    "Your code does not call it: it is the address in `oauth_url`.",
    "The cookie binds the flow to this browser, so only this browser can finish it.",
    "A used or expired ticket sends a browser to the link page with `token_not_validated`; others get `link_refused`.",
  ],
  auth: "none",
  params: z.object({ provider: knownProvider }),
  query: z.object({ ticket: z.string().meta({ description: "From an `oauth_url`; valid once, for ten minutes" }) }),
  response: z
    .string()
    .meta({ description: "Empty: the response redirects to the provider and sets a cookie", mediaType: "text/plain" }),
  errors: [LinkRefused, NotPossible],
  access: [getItem(oauthTickets), updateItem(oauthTickets), putItem(oauthAttempts), updateItem(usage)],
});

export const handler = implement(contract, async ({ params, query, event }, deps) => {
  try {
    const { location, cookie } = await startOAuth(deps, params.provider, query.ticket);
    return redirectTo(location, [cookie]);
  } catch (error) {
    return toLinkErrorAnswer(error, event);
  }
});
