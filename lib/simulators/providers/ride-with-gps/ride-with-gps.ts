import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { expectedTrips, rideWithGpsUserId } from "./expected-trips.ts";
import { notifyOfTrip } from "./notify-of-trip.ts";
import { tripRoutes } from "./trip-routes.ts";

/**
 * Ride with GPS API v1, as published at https://github.com/ridewithgps/developers. Tokens never expire. The documents
 * name no limits and no bodies of errors, so these are our choice.
 */
export const rideWithGpsDefinition: ProviderDefinition = {
  slug: "ride_with_gps",
  oauth: {
    authorizationEndpoint: "ridewithgps.com/oauth/authorize",
    tokenEndpoint: "ridewithgps.com/oauth/token.json",
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["user"],
    defaultScopes: ["user"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: null,
    refresh: "none",
    refreshSeconds: null,
    tokenReply: ({ account, accessToken, scopes, issuedMs }) => ({
      access_token: accessToken,
      token_type: "Bearer",
      scope: scopes.join(" "),
      created_at: Math.floor(issuedMs / 1000),
      user_id: rideWithGpsUserId(account),
    }),
  },
  rateLimits: [{ seconds: 60, limit: 600, scope: "token" }],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 1 },
  routes: tripRoutes,
  unauthorized: () => ({ status: 401, body: { error: "Unauthorized" } }),
  forbidden: () => ({ status: 403, body: { error: "Forbidden" } }),
  tooManyRequests: (_, { resetSeconds }) => ({
    status: 429,
    body: { error: "Too Many Requests" },
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedTrips,
  notify: notifyOfTrip,
};
