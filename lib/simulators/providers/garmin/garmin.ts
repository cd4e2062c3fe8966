import type { ProviderRules } from "../frame/provider-desk.ts";
import type { SimulatedReply } from "../frame/simulated-http.ts";
import { notifyGarmin } from "./garmin-pushes.ts";
import { garminRoutes } from "./garmin-routes.ts";
import { garminTruth } from "./garmin-truth.ts";

const refused = (status: number, errorMessage: string): SimulatedReply => ({ status, body: { errorMessage } });

/** Garmin Health and Activity APIs with OAuth 2; field names as in public implementations. */
export const garmin: ProviderRules = {
  slug: "garmin",
  oauth: {
    authorize: "connect.garmin.com/oauth2Confirm",
    token: "diauth.garmin.com/di-oauth2-service/oauth/token",
    clientAuthentication: ["body"],
    pkce: "required",
    scopes: ["ACTIVITY_EXPORT", "HEALTH_EXPORT", "HISTORICAL_DATA_EXPORT"],
    defaultScopes: ["ACTIVITY_EXPORT", "HEALTH_EXPORT", "HISTORICAL_DATA_EXPORT"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 86_400,
    refresh: "rotates",
    refreshSeconds: 7_775_998,
    reply: ({ accessToken, refreshToken, expiresInS }) => ({
      access_token: accessToken,
      expires_in: expiresInS,
      token_type: "bearer",
      refresh_token: refreshToken,
      scope: "PARTNER_WRITE PARTNER_READ CONNECT_READ CONNECT_WRITE",
      refresh_token_expires_in: 7_775_998,
    }),
  },
  limits: [{ seconds: 60, most: 100, of: "application" }],
  pushes: { retrySeconds: [60, 300, 900, 3_600, 14_400], timeoutSeconds: 30 },
  routes: garminRoutes,
  unauthorized: () => refused(401, "Invalid or expired token"),
  forbidden: () => refused(403, "The user has not granted this permission"),
  tooMany: () => refused(429, "Too many requests"),
  limitHeaders: () => ({}),
  truth: garminTruth,
  notify: notifyGarmin,
};
