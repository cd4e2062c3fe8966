import * as z from "zod";
import { type Finished, finishOAuth } from "../../lib/connections/finishing-oauth.ts";
import { get, open, put, reveal, seal, send, update } from "../../lib/contract/access.ts";
import { endpoint, parentAccess } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { historyPulls } from "../../lib/contract/queues.ts";
import {
  connectionCredentials,
  connectionPolls,
  credentialsKey,
  customCredentials,
  historicalPulls,
  linkTokens,
  oauthAttempts,
  outbox,
  providerAccounts,
  providerApps,
  pullPreferences,
  scopeRequirements,
  usage,
  users,
} from "../../lib/contract/resources.ts";
import { outcomeUrl } from "../../lib/domain/linking/link-errors.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { droppedCookie } from "../../lib/runtime/linking/browser-cookie.ts";
import { readable, sendOn } from "../../lib/runtime/linking/link-redirect.ts";
import { linkOutcomeUrl } from "../../lib/runtime/linking/link-web-url.ts";

/**
 * Redirect URI of providers. Completes the connection in the browser that started it, and redirects the user to the
 * team's redirect URL with the outcome.
 */
export const contract = endpoint({
  operationId: "finishOauthLink",
  method: "GET",
  path: "/v2/link/callback/{provider}",
  tag: "link",
  summary: "Receive the redirect of a provider after authorization",
  auth: "none",
  params: z.object({ provider: knownProvider }),
  query: nothing,
  response: z
    .string()
    .meta({ description: "Empty: the response redirects to the team's redirect URL or to the link page" }),
  errors: [LinkRefused, NotPossible],
  access: [
    ...([...parentAccess, update(users), get(linkTokens), update(linkTokens), update(oauthAttempts)] as const),
    ...([get(customCredentials), get(scopeRequirements), put(connectionCredentials)] as const),
    ...([update(providerAccounts), open(credentialsKey, "custom_credentials"), reveal(providerApps)] as const),
    ...([get(pullPreferences), put(historicalPulls), put(connectionPolls), send(historyPulls)] as const),
    ...([put(outbox), seal(credentialsKey, "connection"), update(usage)] as const),
  ],
});

/** The team's redirect URL with the outcome; without one, the link page, which shows the outcome as text. */
const placeOf = ({ redirectUrl, outcome }: Finished) => outcomeUrl(redirectUrl ?? linkOutcomeUrl(), outcome);

export const handler = implement(contract, async ({ params, event, log }, uses) => {
  try {
    const redirect = new URLSearchParams(event.rawQueryString);
    const finished = await finishOAuth(uses, params.provider, { redirect, cookies: event.cookies ?? [] }, log);
    return sendOn(placeOf(finished), [droppedCookie(redirect.get("state") ?? "")]);
  } catch (error) {
    return readable(error, event);
  }
});
