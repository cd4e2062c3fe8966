import type { ProviderRules } from "../frame/provider-desk.ts";
import { remaining } from "../frame/rate-limits.ts";
import type { SimulatedReply } from "../frame/simulated-http.ts";
import { ouraDataRoutes, revokeRoutes } from "./oura-routes.ts";
import { ouraTruth } from "./oura-truth.ts";
import { notifyOura, webhookRoutes } from "./oura-webhooks.ts";

const problem = (status: number, title: string, detail: string): SimulatedReply => ({
  status,
  body: { status, title, detail },
});

/** Oura API v2, as published at https://cloud.ouraring.com/v2/docs. */
export const oura: ProviderRules = {
  slug: "oura",
  oauth: {
    authorize: "cloud.ouraring.com/oauth/authorize",
    token: "api.ouraring.com/oauth/token",
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
    tellsScope: true,
    codeSeconds: 600,
    accessSeconds: 86_400,
    refresh: "rotates",
    refreshSeconds: null,
    reply: ({ accessToken, refreshToken, expiresInS }) => ({
      token_type: "bearer",
      access_token: accessToken,
      expires_in: expiresInS,
      refresh_token: refreshToken,
    }),
  },
  limits: [{ seconds: 300, most: 5_000, of: "token" }],
  pushes: { retrySeconds: [60, 300, 1_800, 7_200], timeoutSeconds: 10 },
  routes: (desk) => [...ouraDataRoutes(desk), ...revokeRoutes(desk), ...webhookRoutes(desk)],
  unauthorized: () => problem(401, "Unauthorized", "The access token is expired, malformed or revoked."),
  forbidden: () => problem(403, "Forbidden", "The access token does not have the scope for this data."),
  tooMany: (_, { resetSeconds }) => ({
    ...problem(429, "Too Many Requests", "Request rate limit exceeded."),
    headers: { "retry-after": String(resetSeconds), "x-ratelimit-remaining": "0" },
  }),
  limitHeaders: ([window]) =>
    window
      ? {
          "x-ratelimit-limit": String(window.most),
          "x-ratelimit-remaining": String(remaining(window)),
          "x-ratelimit-reset": String(window.resetSeconds),
        }
      : {},
  truth: ouraTruth,
  notify: notifyOura,
};
