import type { ProviderDesk, ProviderRules } from "../frame/provider-desk.ts";
import { type Call, formOf, open, type SimulatedReply } from "../frame/simulated-http.ts";
import { googleDataRoutes } from "./google-data.ts";
import { googleError } from "./google-error.ts";
import { notifyGoogle, subscriberRoutes } from "./google-subscribers.ts";
import { googleTruth } from "./google-truth.ts";

const areas = [
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
export const google: ProviderRules = {
  slug: "google_health",
  oauth: {
    authorize: "accounts.google.com/o/oauth2/v2/auth",
    token: "oauth2.googleapis.com/token",
    clientAuthentication: ["body", "basic"],
    pkce: "allowed",
    scopes: [
      "openid",
      "email",
      "profile",
      ...areas.map((area) => `https://www.googleapis.com/auth/googlehealth.${area}.readonly`),
    ],
    scopeSeparator: " ",
    tellsScope: true,
    hasAccessType: true,
    codeSeconds: 600,
    accessSeconds: 3_599,
    refresh: "stays",
    refreshSeconds: null,
  },
  limits: [{ seconds: 60, most: 300, of: "token" }],
  pushes: { retrySeconds: [60, 300, 900, 3_600, 21_600, 86_400], timeoutSeconds: 10 },
  routes: (desk) => [
    open("POST", "oauth2.googleapis.com/revoke", (call) => revoke(desk, call)),
    ...googleDataRoutes(desk),
    ...subscriberRoutes(desk),
  ],
  unauthorized: () => googleError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
  forbidden: () => googleError(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes."),
  tooMany: () => googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded."),
  limitHeaders: () => ({}),
  truth: googleTruth,
  notify: notifyGoogle,
};

/** Revokes an access or refresh token, sent as query parameter or form field. */
function revoke(desk: ProviderDesk, call: Call): SimulatedReply {
  const account = desk.tokens.accountOf(call.query.get("token") ?? formOf(call).get("token") ?? "");
  if (account === undefined) return { status: 400, body: { error: "invalid_token" } };
  desk.tokens.revoke(account);
  return { status: 200, body: {} };
}
