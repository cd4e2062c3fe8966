import * as z from "zod";
import { type Finished, finishOAuth } from "../../lib/connections/finishing-oauth.ts";
import { get, open, put, seal, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
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
  pullPreferences,
  scopeRequirements,
  teams,
  users,
} from "../../lib/contract/resources.ts";
import { outcomeUrl } from "../../lib/domain/linking/link-errors.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

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
  response: z.string().meta({ description: "A page for users of teams that have said nowhere to go on" }),
  errors: [LinkRefused, NotPossible],
  access: [
    ...([get(teams), get(users), update(users), get(linkTokens), update(linkTokens), update(oauthAttempts)] as const),
    ...([
      get(customCredentials),
      get(scopeRequirements),
      put(connectionCredentials),
      update(providerAccounts),
    ] as const),
    ...([get(pullPreferences), put(historicalPulls), put(connectionPolls), send(historyPulls)] as const),
    ...([put(outbox), seal(credentialsKey), open(credentialsKey)] as const),
  ],
});

/** The address of the page has the code in it, which is of no use any more and nobody's business. */
const headers = {
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
};

function goOn({ redirectUrl, outcome }: Finished): Answer {
  if (redirectUrl !== null) {
    return new Answer("", { status: 302, headers: { ...headers, location: outcomeUrl(redirectUrl, outcome) } });
  }
  const text = outcome === "success" ? "Connected. You can close this page." : outcome.message;
  const status = outcome === "success" ? 200 : 400;
  return new Answer(text, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
}

export const handler = implement(contract, async ({ params, event, log }, uses) =>
  goOn(await finishOAuth(uses, params.provider, new URLSearchParams(event.rawQueryString), log)),
);
