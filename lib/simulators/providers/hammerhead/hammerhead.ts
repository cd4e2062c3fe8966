import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { expectedHammerheadRecords, hammerheadUserId } from "./hammerhead-expected-records.ts";
import { hammerheadRoutes } from "./hammerhead-routes.ts";

const errorReply = (status: number, error: string): SimulatedReply => ({ status, body: { error } });

/** Hammerhead API v1, according to clients generated from its OpenAPI document (https://api.hammerhead.io/v1/docs). */
export const hammerheadDefinition: ProviderDefinition = {
  slug: "hammerhead_v2",
  oauth: {
    authorizationEndpoint: "api.hammerhead.io/v1/auth/oauth/authorize",
    tokenEndpoint: "api.hammerhead.io/v1/auth/oauth/token",
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["activity:read", "route:read", "route:write", "workout:write"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 3_600,
    refresh: "rotates",
    refreshSeconds: null,
    tokenReply: ({ account, accessToken, refreshToken, expiresInS }) => ({
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInS,
      refresh_token: refreshToken,
      user_id: hammerheadUserId(account),
    }),
  },
  rateLimits: [{ seconds: 60, limit: 100, scope: "application" }],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 10 },
  routes: hammerheadRoutes,
  unauthorized: () => errorReply(401, "Unauthorized"),
  forbidden: () => errorReply(403, "Forbidden"),
  tooManyRequests: () => errorReply(429, "Too Many Requests"),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedHammerheadRecords,
};
