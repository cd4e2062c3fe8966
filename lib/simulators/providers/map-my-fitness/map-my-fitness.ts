import type { RateLimitState } from "../base/rate-limiter.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { expectedMapMyFitnessRecords, mapMyFitnessUserId } from "./map-my-fitness-expected-records.ts";
import { workoutRoutes } from "./workout-routes.ts";

const API = "api.mapmyfitness.com/v7.1";

const diagnosticsReply = (status: number, ...failures: readonly string[]): SimulatedReply => ({
  status,
  body: { _diagnostics: { validation_failures: failures.map((failure) => [failure]) }, _links: {} },
});

/** Headers of the gateway: requests of this second and of this day (UTC). */
function planHeaders([second, day]: readonly RateLimitState[], nowMs: number): Readonly<Record<string, string>> {
  if (!second || !day) return {};
  return {
    "x-plan-qps-allotted": String(second.limit),
    "x-plan-qps-current": String(second.used),
    "x-plan-quota-allotted": String(day.limit),
    "x-plan-quota-current": String(day.used),
    "x-plan-quota-reset": new Date(nowMs + day.resetSeconds * 1000).toUTCString(),
  };
}

/**
 * MapMyFitness API v7.1, as published at https://developer.mapmyfitness.com/docs. Each request carries the client id in
 * `Api-Key`. The status of requests beyond a limit is our choice. Webhooks are not simulated.
 */
export const mapMyFitnessDefinition: ProviderDefinition = {
  slug: "map_my_fitness",
  oauth: {
    authorizationEndpoint: "www.mapmyfitness.com/v7.1/oauth2/authorize/",
    tokenEndpoint: `${API}/oauth2/access_token/`,
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["read"],
    defaultScopes: ["read"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 5_184_000,
    refresh: "rotates",
    refreshSeconds: null,
    tokenReply: ({ account, accessToken, refreshToken, expiresInS, scopes }) => ({
      user_id: mapMyFitnessUserId(account),
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInS,
      refresh_token: refreshToken,
      user_href: `/v7.1/user/${mapMyFitnessUserId(account)}/`,
      scope: scopes.join(" "),
    }),
  },
  rateLimits: [
    { seconds: 1, limit: 60, scope: "application" },
    { seconds: 86_400, limit: 25_000, scope: "application" },
  ],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 3 },
  routes: (provider) => workoutRoutes(provider, API, diagnosticsReply),
  unauthorized: () => ({ status: 401, body: { oauth1_error: "invalid_token", oauth2_error: "invalid_token" } }),
  forbidden: () => diagnosticsReply(403, "Forbidden"),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...diagnosticsReply(429, "Over the limit of the plan"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: planHeaders,
  expectedRecords: expectedMapMyFitnessRecords,
};
