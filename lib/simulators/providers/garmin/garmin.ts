import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { expectedGarminRecords } from "./garmin-expected-records.ts";
import { notifyGarmin } from "./garmin-pushes.ts";
import { garminRoutes } from "./garmin-routes.ts";

const errorReply = (status: number, errorMessage: string): SimulatedReply => ({ status, body: { errorMessage } });

/** Garmin Health and Activity APIs with OAuth 2; field names as in public implementations. */
export const garminDefinition: ProviderDefinition = {
  slug: "garmin",
  oauth: {
    authorizationEndpoint: "connect.garmin.com/oauth2Confirm",
    tokenEndpoint: "diauth.garmin.com/di-oauth2-service/oauth/token",
    clientAuthentication: ["body"],
    pkce: "required",
    scopes: ["ACTIVITY_EXPORT", "HEALTH_EXPORT", "HISTORICAL_DATA_EXPORT"],
    defaultScopes: ["ACTIVITY_EXPORT", "HEALTH_EXPORT", "HISTORICAL_DATA_EXPORT"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 86_400,
    refresh: "rotates",
    refreshSeconds: 7_775_998,
    tokenReply: ({ accessToken, refreshToken, expiresInS }) => ({
      access_token: accessToken,
      expires_in: expiresInS,
      token_type: "bearer",
      refresh_token: refreshToken,
      scope: "PARTNER_WRITE PARTNER_READ CONNECT_READ CONNECT_WRITE",
      refresh_token_expires_in: 7_775_998,
    }),
  },
  rateLimits: [{ seconds: 60, limit: 100, scope: "application" }],
  pushPolicy: { retrySeconds: [60, 300, 900, 3_600, 14_400], timeoutSeconds: 30 },
  routes: garminRoutes,
  unauthorized: () => errorReply(401, "Invalid or expired token"),
  forbidden: () => errorReply(403, "The user has not granted this permission"),
  tooManyRequests: () => errorReply(429, "Too many requests"),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedGarminRecords,
  notify: notifyGarmin,
};
