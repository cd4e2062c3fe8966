import * as z from "zod";
import { updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { withLinkOutcome } from "../../lib/domain/connections/link/link-errors.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { redirectTo, toLinkErrorAnswer } from "../../lib/services/connections/link/link-redirect.ts";
import { linkOutcomeUrl } from "../../lib/services/connections/link/link-web-url.ts";
import { expiredBrowserCookie } from "../../lib/services/connections/oauth/browser-cookie.ts";
import {
  finishOAuth,
  finishOAuthAccess,
  type OAuthOutcome,
} from "../../lib/services/connections/oauth/finish-oauth.ts";

export const contract = endpoint({
  operationId: "finishOauthLink",
  method: "GET",
  path: "/v2/link/callback/{provider}",
  tag: "link",
  summary: "Receive the redirect of a provider after authorization",
  description: [
    "Receives the browser that returns from a provider; register this address there as the redirect URI.",
    "It completes the connection only in the browser that began it, once, and within ten minutes.",
    "Then it sends the browser to the token's `redirect_url`, or to the link page if the token has none.",
    "The query there has `state=success`, or `state=error` with `error_type` and `error`.",
    "A success stores the access, starts the history and sends `provider.connection.created`.",
    "After `duplicate_connection` and other failures, the service revokes the access that it just received.",
  ],
  auth: "none",
  params: z.object({ provider: knownProvider }),
  query: noFields,
  response: z
    .string()
    .meta({ description: "Empty: redirects to the team's redirect URL or to the link page", mediaType: "text/plain" }),
  errors: [LinkRefused, NotPossible],
  access: [...finishOAuthAccess, updateItem(usage)],
});

/** The team's redirect URL with the outcome; without one, the link page, which shows the outcome as text. */
const destinationUrl = ({ redirectUrl, outcome }: OAuthOutcome) =>
  withLinkOutcome(redirectUrl ?? linkOutcomeUrl(), outcome);

export const handler = implement(contract, async ({ params, event, log }, deps) => {
  try {
    const redirect = new URLSearchParams(event.rawQueryString);
    const finished = await finishOAuth(deps, params.provider, { redirect, cookies: event.cookies ?? [] }, log);
    return redirectTo(destinationUrl(finished), [expiredBrowserCookie(redirect.get("state") ?? "")]);
  } catch (error) {
    return toLinkErrorAnswer(error, event);
  }
});
