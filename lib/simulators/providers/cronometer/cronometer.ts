import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { stableNumber } from "../base/stable-ids.ts";
import { expectedCronometerRecords } from "./cronometer-diary.ts";
import { cronometerRoutes } from "./cronometer-routes.ts";

const errorReply = (status: number, error: string): SimulatedReply => ({ status, body: { error } });

/** Cronometer's partner API, according to public clients. Tokens do not expire, and nobody can renew them. */
export const cronometerDefinition: ProviderDefinition = {
  slug: "cronometer",
  oauth: {
    authorizationEndpoint: "cronometer.com/oauth/authorize",
    tokenEndpoint: "cronometer.com/oauth/token",
    clientAuthentication: ["query"],
    pkce: "none",
    scopes: [],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: null,
    refresh: "none",
    refreshSeconds: null,
    tokenReply: ({ account, accessToken }) => ({
      access_token: accessToken,
      token_type: "bearer",
      user_id: String(stableNumber(`cronometer ${account}`)),
    }),
  },
  rateLimits: [],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 10 },
  routes: cronometerRoutes,
  unauthorized: () => errorReply(401, "Invalid access token"),
  forbidden: () => errorReply(403, "Forbidden"),
  tooManyRequests: () => errorReply(429, "Too many requests"),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedCronometerRecords,
};
