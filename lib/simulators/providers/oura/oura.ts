import { remainingRequests } from "../base/rate-limiter.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { expectedOuraRecords } from "./oura-expected-records.ts";
import { ouraDataRoutes, revokeRoutes } from "./oura-routes.ts";
import { notifyOura, webhookRoutes } from "./oura-webhooks.ts";

const problemReply = (status: number, title: string, detail: string): SimulatedReply => ({
  status,
  body: { status, title, detail },
});

/** Oura API v2, as published at https://cloud.ouraring.com/v2/docs. */
export const ouraDefinition: ProviderDefinition = {
  slug: "oura",
  oauth: {
    authorizationEndpoint: "cloud.ouraring.com/oauth/authorize",
    tokenEndpoint: "api.ouraring.com/oauth/token",
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: [
      "email",
      "personal",
      "daily",
      "heartrate",
      "workout",
      "tag",
      "session",
      "spo2",
      "heart_health",
      "stress",
      "ring_configuration",
    ],
    scopeSeparator: " ",
    returnsScopeInRedirect: true,
    codeSeconds: 600,
    accessSeconds: 86_400,
    refresh: "rotates",
    refreshSeconds: null,
    tokenReply: ({ accessToken, refreshToken, expiresInS }) => ({
      token_type: "bearer",
      access_token: accessToken,
      expires_in: expiresInS,
      refresh_token: refreshToken,
    }),
  },
  rateLimits: [{ seconds: 300, limit: 5_000, scope: "token" }],
  pushPolicy: { retrySeconds: [60, 300, 1_800, 7_200], timeoutSeconds: 10 },
  routes: (provider) => [...ouraDataRoutes(provider), ...revokeRoutes(provider), ...webhookRoutes(provider)],
  unauthorized: () => problemReply(401, "Unauthorized", "The access token is expired, malformed or revoked."),
  forbidden: () => problemReply(403, "Forbidden", "The access token does not have the scope for this data."),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...problemReply(429, "Too Many Requests", "Request rate limit exceeded."),
    headers: { "retry-after": String(resetSeconds), "x-ratelimit-remaining": "0" },
  }),
  rateLimitHeaders: ([window]) =>
    window
      ? {
          "x-ratelimit-limit": String(window.limit),
          "x-ratelimit-remaining": String(remainingRequests(window)),
          "x-ratelimit-reset": String(window.resetSeconds),
        }
      : {},
  expectedRecords: expectedOuraRecords,
  notify: notifyOura,
};
