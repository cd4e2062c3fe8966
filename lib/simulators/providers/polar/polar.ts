import type { RateLimitState } from "../base/rate-limiter.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { polarDataRoutes } from "./polar-data.ts";
import { exerciseRoutes } from "./polar-exercises.ts";
import { expectedPolarRecords, polarUserId } from "./polar-expected-records.ts";
import { polarUserRoutes } from "./polar-users.ts";
import { notifyPolar, webhookRoutes } from "./polar-webhooks.ts";

const errorReply = (status: number, error: string): SimulatedReply => ({ status, body: { status, error } });

/** Rate limits of an application with one user: the base limit plus the allowance per user. */
const [REQUESTS_PER_QUARTER_HOUR, REQUESTS_PER_DAY] = [520, 5_100];

/** Polar AccessLink 3.68, as published at https://www.polar.com/accesslink-api. */
export const polarDefinition: ProviderDefinition = {
  slug: "polar",
  oauth: {
    authorizationEndpoint: "flow.polar.com/oauth2/authorization",
    tokenEndpoint: "polarremote.com/v2/oauth2/token",
    clientAuthentication: ["basic"],
    pkce: "none",
    scopes: ["accesslink.read_all"],
    defaultScopes: ["accesslink.read_all"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 31_535_999,
    refresh: "none",
    refreshSeconds: null,
    tokenReply: ({ account, accessToken, expiresInS }) => ({
      access_token: accessToken,
      token_type: "bearer",
      expires_in: expiresInS,
      x_user_id: polarUserId(account),
    }),
  },
  rateLimits: [
    { seconds: 900, limit: REQUESTS_PER_QUARTER_HOUR, scope: "application" },
    { seconds: 86_400, limit: REQUESTS_PER_DAY, scope: "application" },
  ],
  pushPolicy: { retrySeconds: [60, 300, 3_600, 21_600, 86_400], timeoutSeconds: 10 },
  // Data routes precede user routes: both use the same path segment.
  routes: (provider) => [
    ...polarDataRoutes(provider),
    ...polarUserRoutes(provider),
    ...exerciseRoutes(provider),
    ...webhookRoutes(provider),
  ],
  unauthorized: () => errorReply(401, "unauthorized"),
  forbidden: () => errorReply(403, "forbidden"),
  tooManyRequests: () => errorReply(429, "too many requests"),
  rateLimitHeaders: (windows) => {
    const joined = (part: (window: RateLimitState) => number) => windows.map(part).join(", ");
    return {
      "ratelimit-usage": joined(({ used }) => used),
      "ratelimit-limit": joined(({ limit }) => limit),
      "ratelimit-reset": joined(({ resetSeconds }) => resetSeconds),
    };
  },
  expectedRecords: expectedPolarRecords,
  notify: notifyPolar,
};
