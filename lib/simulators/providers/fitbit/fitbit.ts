import { isApplication } from "../base/application.ts";
import { remainingRequests } from "../base/rate-limiter.ts";
import { parseForm, publicRoute, type RoutedRequest, type SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { fitbitDataRoutes } from "./fitbit-data.ts";
import { expectedFitbitRecords, fitbitUserId } from "./fitbit-expected-records.ts";
import { fitbitSubscriptionRoutes, notifyFitbit } from "./fitbit-subscriptions.ts";

const errorReply = (status: number, errorType: string, message: string): SimulatedReply => ({
  status,
  body: { success: false, errors: [{ errorType, message }] },
});

/** The Fitbit Web API, shut down in 2026, as published at https://dev.fitbit.com; tests the parsing of old payloads. */
export const fitbitDefinition: ProviderDefinition = {
  slug: "fitbit",
  oauth: {
    authorizationEndpoint: "www.fitbit.com/oauth2/authorize",
    tokenEndpoint: "api.fitbit.com/oauth2/token",
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
    tokenReply: ({ account, accessToken, refreshToken, expiresInS, scopes }) => ({
      access_token: accessToken,
      expires_in: expiresInS,
      refresh_token: refreshToken,
      scope: scopes.join(" "),
      token_type: "Bearer",
      user_id: fitbitUserId(account),
    }),
    errorReply: (error) => errorReply(error === "invalid_client" ? 401 : 400, error, "The request was refused."),
  },
  rateLimits: [{ seconds: 3_600, limit: 150, scope: "token" }],
  pushPolicy: { retrySeconds: [60, 300, 900], timeoutSeconds: 5 },
  routes: (provider) => [
    publicRoute("POST", "api.fitbit.com/oauth2/revoke", (call) => revoke(provider, call)),
    ...fitbitDataRoutes(provider),
    ...fitbitSubscriptionRoutes(provider),
  ],
  unauthorized: () => errorReply(401, "expired_token", "Access token expired or invalid."),
  forbidden: () => errorReply(403, "insufficient_scope", "This application does not have permission for this data."),
  tooManyRequests: (_, { resetSeconds }) => ({
    status: 429,
    headers: { "retry-after": String(resetSeconds) },
    body: {
      error: { code: 429, message: "Resource has been exhausted (e.g. check quota).", status: "RESOURCE_EXHAUSTED" },
    },
  }),
  rateLimitHeaders: ([window]) =>
    window
      ? {
          "fitbit-rate-limit-limit": String(window.limit),
          "fitbit-rate-limit-remaining": String(remainingRequests(window)),
          "fitbit-rate-limit-reset": String(window.resetSeconds),
        }
      : {},
  expectedRecords: expectedFitbitRecords,
  notify: notifyFitbit,
};

function revoke(provider: SimulatedProvider, call: RoutedRequest): SimulatedReply {
  if (!isApplication(call, ["basic"])) return errorReply(401, "invalid_client", "The request was refused.");
  const account = provider.tokens.findAccount(parseForm(call).get("token") ?? "");
  if (account !== undefined) provider.tokens.revoke(account);
  return { status: 200 };
}
