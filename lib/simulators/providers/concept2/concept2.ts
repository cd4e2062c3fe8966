import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { Attempt } from "../base/push-sender.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { DataChange, ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { expectedConcept2Records, isErgWorkout, resultId } from "./concept2-expected-records.ts";
import { toResult } from "./concept2-results.ts";
import { concept2Routes } from "./concept2-routes.ts";

const errorReply = (status_code: number, message: string): SimulatedReply => ({
  status: status_code,
  body: { message, status_code },
});

/** Concept2 Logbook API v1, as published at https://log.concept2.com/developers/documentation. */
export const concept2Definition: ProviderDefinition = {
  slug: "concept2",
  oauth: {
    authorizationEndpoint: "log.concept2.com/oauth/authorize",
    tokenEndpoint: "log.concept2.com/oauth/access_token",
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["user:read", "user:write", "results:read", "results:write"],
    scopeSeparator: ",",
    tokenRequestRequiresScope: true,
    codeSeconds: 600,
    accessSeconds: 604_800,
    refresh: "rotates",
    refreshSeconds: 31_536_000,
    tokenReply: ({ accessToken, refreshToken, expiresInS }) => ({
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInS,
      refresh_token: refreshToken,
    }),
  },
  rateLimits: [],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 10 },
  routes: concept2Routes,
  unauthorized: () => errorReply(401, "Invalid access token"),
  forbidden: () => errorReply(403, "User does not have rights to this resource"),
  tooManyRequests: () => errorReply(429, "Too many requests"),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedConcept2Records,
  notify: notifyConcept2,
};

/** Pushes a result, or the id of a deleted one. The documents name no signature. */
async function notifyConcept2(
  provider: SimulatedProvider,
  { account, date, change }: DataChange,
): Promise<readonly Attempt[]> {
  const person = provider.person(account);
  const day = person.day(Date.parse(date) / DAY_MS);
  const { workout } = day;
  if (!workout || !isErgWorkout(workout)) return [];
  const data =
    change === "delete"
      ? { type: "result-deleted", result_id: resultId(person, day) }
      : {
          type: change === "create" ? "result-added" : "result-updated",
          result: toResult(person, { day, workout }),
        };
  const headers = { "content-type": "application/json" };
  return provider.pushToSubscribers("", { headers, body: JSON.stringify({ data }) });
}
