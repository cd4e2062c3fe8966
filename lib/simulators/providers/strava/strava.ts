import type { OAuthServerConfig } from "../base/oauth.ts";
import type { RateLimitState } from "../base/rate-limiter.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { stravaAthlete, stravaDataRoutes } from "./strava-data.ts";
import { expectedStravaRecords } from "./strava-expected-records.ts";
import { notifyStrava, subscriptionRoutes } from "./strava-push.ts";

/** The error format of the API. */
function faultReply(status: number, message: string, resource: string, field: string, code: string): SimulatedReply {
  return { status, body: { message, errors: [{ resource, field, code }] } };
}

const oauth: OAuthServerConfig = {
  authorizationEndpoint: "www.strava.com/oauth/authorize",
  tokenEndpoint: "www.strava.com/oauth/token",
  clientAuthentication: ["body"],
  pkce: "none",
  scopes: [
    "read",
    "read_all",
    "profile:read_all",
    "profile:write",
    "activity:read",
    "activity:read_all",
    "activity:write",
  ],
  scopeSeparator: ",",
  returnsScopeInRedirect: true,
  codeSeconds: 600,
  accessSeconds: 21_600,
  refresh: "rotates",
  refreshSeconds: null,
  tokenReply: ({ account, accessToken, refreshToken, expiresInS, issuedMs }) => ({
    token_type: "Bearer",
    expires_at: Math.floor(issuedMs / 1000) + (expiresInS ?? 0),
    expires_in: expiresInS,
    refresh_token: refreshToken,
    access_token: accessToken,
    athlete: stravaAthlete(account),
  }),
  errorReply: (error) =>
    error === "invalid_client"
      ? faultReply(401, "Authorization Error", "Application", "client_secret", "invalid")
      : faultReply(400, "Bad Request", "RequestToken", "code", "invalid"),
};

/** Strava API v3, as published at https://developers.strava.com. */
export const stravaDefinition: ProviderDefinition = {
  slug: "strava",
  oauth,
  rateLimits: [
    { seconds: 900, limit: 200, scope: "application" },
    { seconds: 86_400, limit: 2_000, scope: "application" },
  ],
  pushPolicy: { retrySeconds: [30, 120], timeoutSeconds: 2 },
  routes: (provider) => [...stravaDataRoutes(provider), ...subscriptionRoutes(provider)],
  unauthorized: () => faultReply(401, "Authorization Error", "Athlete", "access_token", "invalid"),
  forbidden: () => faultReply(401, "Authorization Error", "AccessToken", "activity:read_permission", "missing"),
  tooManyRequests: () => faultReply(429, "Rate Limit Exceeded", "Application", "rate limit", "exceeded"),
  rateLimitHeaders: (windows) => {
    const joined = (part: (window: RateLimitState) => number) => windows.map(part).join(",");
    return {
      "x-ratelimit-limit": joined(({ limit }) => limit),
      "x-ratelimit-usage": joined(({ used }) => used),
      "x-readratelimit-limit": joined(({ limit }) => limit),
      "x-readratelimit-usage": joined(({ used }) => used),
    };
  },
  expectedRecords: expectedStravaRecords,
  notify: notifyStrava,
};
