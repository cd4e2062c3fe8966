import type { OAuthServerConfig } from "../base/oauth.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { ihealthDataRoutes } from "./ihealth-data.ts";
import { ihealthError } from "./ihealth-error.ts";
import { expectedIhealthRecords } from "./ihealth-expected-records.ts";
import { AUTHORIZATION, authorizationRoute, toTokenReply } from "./ihealth-oauth.ts";

const oauth: OAuthServerConfig = {
  authorizationEndpoint: AUTHORIZATION,
  clientAuthentication: ["query"],
  pkce: "none",
  scopes: ["OpenApiBP", "OpenApiBG", "OpenApiWeight", "OpenApiSpO2", "OpenApiActivity", "OpenApiSleep"],
  scopeSeparator: " ",
  codeSeconds: 600,
  accessSeconds: 172_800,
  refresh: "rotates",
  refreshSeconds: null,
  refreshRequiresRedirectUri: true,
  tokenReply: toTokenReply,
  errorReply: (error) =>
    error === "invalid_client"
      ? ihealthError(401, "1002", "client_secret_mismatch")
      : ihealthError(400, "2001", "unauthorized_client"),
};

/** iHealth OpenAPI V2, according to https://developer.ihealthlabs.com and the readings of public clients. */
export const ihealthDefinition: ProviderDefinition = {
  slug: "ihealth",
  oauth,
  readToken: ({ query }) => query.get("access_token") ?? "",
  rateLimits: [{ seconds: 3_600, limit: 5_000, scope: "application" }],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 10 },
  routes: (provider) => [authorizationRoute(provider, oauth), ...ihealthDataRoutes(provider)],
  unauthorized: () => ihealthError(401, "2002", "unauthorized_token"),
  forbidden: () => ihealthError(403, "2003", "unauthorized_APIName"),
  tooManyRequests: () => ihealthError(503, "503", "limits_hour_error"),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedIhealthRecords,
};
