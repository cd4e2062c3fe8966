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
  users,
} from "../../lib/contract/resources.ts";
import { LinkFailed, outcomeUrl } from "../../lib/domain/linking/link-errors.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { linkOutcomeUrl } from "../../lib/runtime/linking/link-web-url.ts";

/** Where providers send users back to: connects, and sends them on to where their team said, with the outcome. */
export const contract = endpoint({
  operationId: "finishOauthLink",
  method: "GET",
  path: "/v2/link/callback/{provider}",
  tag: "link",
  summary: "Take a user back from a provider",
  auth: "none",
  params: z.object({ provider: knownProvider }),
  query: nothing,
  response: z.string().meta({ description: "Nothing but a redirect, to where the team said or to the link page" }),
  errors: [LinkRefused, NotPossible],
  access: [
    ...([...parentAccess, update(users), get(linkTokens), update(linkTokens), update(oauthAttempts)] as const),
    ...([get(customCredentials), get(scopeRequirements), put(connectionCredentials)] as const),
    ...([update(providerAccounts), open(credentialsKey, "custom_credentials"), reveal(providerApps)] as const),
    ...([get(pullPreferences), put(historicalPulls), put(connectionPolls), send(historyPulls)] as const),
    ...([put(outbox), seal(credentialsKey, "connection")] as const),
  ],
});

/** The address of the page has the code in it, which is of no use any more and nobody's business. */
const headers = {
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
};

/** Where users go on whose team has named no place: to our own page, which says the same in words. */
function goOn({ redirectUrl, outcome }: Finished): Answer {
  const location = outcomeUrl(redirectUrl ?? linkOutcomeUrl(), outcome);
  return new Answer("", { status: 302, headers: { ...headers, location } });
}

export const handler = implement(contract, async ({ params, event, log }, uses) => {
  try {
    return goOn(await finishOAuth(uses, params.provider, new URLSearchParams(event.rawQueryString), log));
  } catch (error) {
    const isRead = event.headers.accept?.includes("text/html");
    if (!(error instanceof LinkRefused) || !isRead) throw error;
    // People wait too long at a provider, or come back a second time: they are to read why, on our own page.
    const outcome = new LinkFailed("token_not_validated", "This is no attempt to connect that is under way.");
    return goOn({ redirectUrl: null, outcome });
  }
});
