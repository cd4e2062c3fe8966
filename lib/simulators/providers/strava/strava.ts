import type { OAuthRules } from "../frame/oauth.ts";
import type { ProviderRules } from "../frame/provider-desk.ts";
import type { WindowState } from "../frame/rate-limits.ts";
import type { SimulatedReply } from "../frame/simulated-http.ts";
import { stravaAthlete, stravaDataRoutes } from "./strava-data.ts";
import { notifyStrava, subscriptionRoutes } from "./strava-push.ts";
import { stravaTruth } from "./strava-truth.ts";

/** The error format of the API. */
function fault(status: number, message: string, resource: string, field: string, code: string): SimulatedReply {
  return { status, body: { message, errors: [{ resource, field, code }] } };
}

const oauth: OAuthRules = {
  authorize: "www.strava.com/oauth/authorize",
  token: "www.strava.com/oauth/token",
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
  tellsScope: true,
  codeSeconds: 600,
  accessSeconds: 21_600,
  refresh: "rotates",
  refreshSeconds: null,
  reply: ({ account, accessToken, refreshToken, expiresInS, issuedMs }) => ({
    token_type: "Bearer",
    expires_at: Math.floor(issuedMs / 1000) + (expiresInS ?? 0),
    expires_in: expiresInS,
    refresh_token: refreshToken,
    access_token: accessToken,
    athlete: stravaAthlete(account),
  }),
  refusal: (error) =>
    error === "invalid_client"
      ? fault(401, "Authorization Error", "Application", "client_secret", "invalid")
      : fault(400, "Bad Request", "RequestToken", "code", "invalid"),
};

/** Strava API v3, as published at https://developers.strava.com. */
export const strava: ProviderRules = {
  slug: "strava",
  oauth,
  limits: [
    { seconds: 900, most: 200, of: "application" },
    { seconds: 86_400, most: 2_000, of: "application" },
  ],
  pushes: { retrySeconds: [30, 120], timeoutSeconds: 2 },
  routes: (desk) => [...stravaDataRoutes(desk), ...subscriptionRoutes(desk)],
  unauthorized: () => fault(401, "Authorization Error", "Athlete", "access_token", "invalid"),
  forbidden: () => fault(401, "Authorization Error", "AccessToken", "activity:read_permission", "missing"),
  tooMany: () => fault(429, "Rate Limit Exceeded", "Application", "rate limit", "exceeded"),
  limitHeaders: (windows) => {
    const joined = (part: (window: WindowState) => number) => windows.map(part).join(",");
    return {
      "x-ratelimit-limit": joined(({ most }) => most),
      "x-ratelimit-usage": joined(({ used }) => used),
      "x-readratelimit-limit": joined(({ most }) => most),
      "x-readratelimit-usage": joined(({ used }) => used),
    };
  },
  truth: stravaTruth,
  notify: notifyStrava,
};
