import { parseForm, publicRoute, type RoutedRequest, type SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { googleDataRoutes } from "./google-data.ts";
import { googleError } from "./google-error.ts";
import { expectedGoogleRecords } from "./google-expected-records.ts";
import { notifyGoogle, subscriberRoutes } from "./google-subscribers.ts";

const scopeAreas = [
  "activity_and_fitness",
  "health_metrics_and_measurements",
  "nutrition",
  "sleep",
  "settings",
  "profile",
  "location",
  "ecg",
  "irn",
];

/** Google Health API v4, as published at https://developers.google.com/health. */
export const googleDefinition: ProviderDefinition = {
  slug: "google_health",
  oauth: {
    authorizationEndpoint: "accounts.google.com/o/oauth2/v2/auth",
    tokenEndpoint: "oauth2.googleapis.com/token",
    clientAuthentication: ["body", "basic"],
    pkce: "allowed",
    scopes: [
      "openid",
      "email",
      "profile",
      ...scopeAreas.map((area) => `https://www.googleapis.com/auth/googlehealth.${area}.readonly`),
    ],
    scopeSeparator: " ",
    returnsScopeInRedirect: true,
    hasAccessType: true,
    codeSeconds: 600,
    accessSeconds: 3_599,
    refresh: "stays",
    refreshSeconds: null,
  },
  rateLimits: [{ seconds: 60, limit: 300, scope: "token" }],
  pushPolicy: { retrySeconds: [60, 300, 900, 3_600, 21_600, 86_400], timeoutSeconds: 10 },
  routes: (provider) => [
    publicRoute("POST", "oauth2.googleapis.com/revoke", (call) => revoke(provider, call)),
    ...googleDataRoutes(provider),
    ...subscriberRoutes(provider),
  ],
  unauthorized: () => googleError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
  forbidden: () => googleError(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes."),
  tooManyRequests: () => googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded."),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedGoogleRecords,
  notify: notifyGoogle,
};

/** Revokes an access or refresh token, sent as query parameter or form field. */
function revoke(provider: SimulatedProvider, call: RoutedRequest): SimulatedReply {
  const account = provider.tokens.findAccount(call.query.get("token") ?? parseForm(call).get("token") ?? "");
  if (account === undefined) return { status: 400, body: { error: "invalid_token" } };
  provider.tokens.revoke(account);
  return { status: 200, body: {} };
}
