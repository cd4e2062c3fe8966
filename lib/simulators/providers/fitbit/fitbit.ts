import { isApplication } from "../frame/application.ts";
import type { ProviderDesk, ProviderRules } from "../frame/provider-desk.ts";
import { remaining } from "../frame/rate-limits.ts";
import { type Call, formOf, open, type SimulatedReply } from "../frame/simulated-http.ts";
import { fitbitDataRoutes } from "./fitbit-data.ts";
import { fitbitSubscriptionRoutes, notifyFitbit } from "./fitbit-subscriptions.ts";
import { fitbitTruth, fitbitUserId } from "./fitbit-truth.ts";

const refused = (status: number, errorType: string, message: string): SimulatedReply => ({
  status,
  body: { success: false, errors: [{ errorType, message }] },
});

/** The Fitbit Web API, shut down in 2026, as published at https://dev.fitbit.com; tests the parsing of old payloads. */
export const fitbit: ProviderRules = {
  slug: "fitbit",
  oauth: {
    authorize: "www.fitbit.com/oauth2/authorize",
    token: "api.fitbit.com/oauth2/token",
    clientAuthentication: ["basic"],
    pkce: "allowed",
    scopes: [
      "activity",
      "cardio_fitness",
      "heartrate",
      "location",
      "nutrition",
      "oxygen_saturation",
      "profile",
      "respiratory_rate",
      "settings",
      "sleep",
      "social",
      "temperature",
      "weight",
    ],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 28_800,
    refresh: "rotates",
    refreshSeconds: null,
    reply: ({ account, accessToken, refreshToken, expiresInS, scopes }) => ({
      access_token: accessToken,
      expires_in: expiresInS,
      refresh_token: refreshToken,
      scope: scopes.join(" "),
      token_type: "Bearer",
      user_id: fitbitUserId(account),
    }),
    refusal: (error) => refused(error === "invalid_client" ? 401 : 400, error, "The request was refused."),
  },
  limits: [{ seconds: 3_600, most: 150, of: "token" }],
  pushes: { retrySeconds: [60, 300, 900], timeoutSeconds: 5 },
  routes: (desk) => [
    open("POST", "api.fitbit.com/oauth2/revoke", (call) => revoke(desk, call)),
    ...fitbitDataRoutes(desk),
    ...fitbitSubscriptionRoutes(desk),
  ],
  unauthorized: () => refused(401, "expired_token", "Access token expired or invalid."),
  forbidden: () => refused(403, "insufficient_scope", "This application does not have permission for this data."),
  tooMany: (_, { resetSeconds }) => ({
    status: 429,
    headers: { "retry-after": String(resetSeconds) },
    body: {
      error: { code: 429, message: "Resource has been exhausted (e.g. check quota).", status: "RESOURCE_EXHAUSTED" },
    },
  }),
  limitHeaders: ([window]) =>
    window
      ? {
          "fitbit-rate-limit-limit": String(window.most),
          "fitbit-rate-limit-remaining": String(remaining(window)),
          "fitbit-rate-limit-reset": String(window.resetSeconds),
        }
      : {},
  truth: fitbitTruth,
  notify: notifyFitbit,
};

function revoke(desk: ProviderDesk, call: Call): SimulatedReply {
  if (!isApplication(call, ["basic"])) return refused(401, "invalid_client", "The request was refused.");
  const account = desk.tokens.accountOf(formOf(call).get("token") ?? "");
  if (account !== undefined) desk.tokens.revoke(account);
  return { status: 200 };
}
