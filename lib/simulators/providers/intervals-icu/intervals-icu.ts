import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { athleteRoutes } from "./athlete-routes.ts";
import { athleteId, expectedDiary } from "./expected-diary.ts";
import { notifyOfActivity } from "./notify-of-activity.ts";

const HOST = "intervals.icu";
const errorReply = (status: number, error: string): SimulatedReply => ({ status, body: { status, error } });

/**
 * Intervals.icu API, as published at https://intervals.icu/api-docs.html and in its forum. Tokens never expire. The
 * documents name no limits, and no repetition of webhooks but that it exists, so both are our choice.
 */
export const intervalsIcuDefinition: ProviderDefinition = {
  slug: "intervals_icu",
  oauth: {
    authorizationEndpoint: `${HOST}/oauth/authorize`,
    tokenEndpoint: `${HOST}/api/oauth/token`,
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["ACTIVITY", "WELLNESS", "CALENDAR", "SETTINGS"].flatMap((area) => [`${area}:READ`, `${area}:WRITE`]),
    scopeSeparator: ",",
    codeSeconds: 120,
    accessSeconds: null,
    refresh: "none",
    refreshSeconds: null,
    tokenReply: ({ account, accessToken, scopes }) => ({
      token_type: "Bearer",
      access_token: accessToken,
      scope: scopes.join(","),
      athlete: { id: athleteId(account), name: account },
    }),
    errorReply: (error) =>
      error === "invalid_client"
        ? errorReply(404, "Client and/or secret not found")
        : errorReply(400, "Invalid or expired code"),
  },
  rateLimits: [{ seconds: 60, limit: 600, scope: "token" }],
  pushPolicy: { retrySeconds: [60, 300, 1_800], timeoutSeconds: 10 },
  routes: (provider) => athleteRoutes(provider, `${HOST}/api/v1`),
  unauthorized: () => errorReply(401, "Unauthorized"),
  forbidden: () => errorReply(403, "Access denied"),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...errorReply(429, "Too many requests"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedDiary,
  notify: notifyOfActivity,
};
