import { createIdToken } from "../base/id-token.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { measurementRoutes } from "./measurement-routes.ts";
import { notifyOfUpload } from "./notify-of-upload.ts";
import { expectedOmronRecords, omronUserId } from "./omron-expected-records.ts";

const OAUTH_HOST = "oauth.omronwellness.com";

const failure = (status: number, reason: string): SimulatedReply => ({
  status,
  body: { status: 1, reason, errorCode: String(status) },
});

/**
 * Omron Wellness API for partners in the United States, as its public wiki and public clients describe it. Only blood
 * pressure is simulated: the fields of weight and activity are not public. Page sizes and limits are our choice.
 */
export const omronDefinition: ProviderDefinition = {
  slug: "omron",
  oauth: {
    authorizationEndpoint: `${OAUTH_HOST}/connect/authorize`,
    tokenEndpoint: `${OAUTH_HOST}/connect/token`,
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["bloodpressure", "activity", "weight", "openid", "offline_access"],
    scopeSeparator: " ",
    codeSeconds: 300,
    accessSeconds: 3_600,
    refresh: "rotates",
    refreshSeconds: null,
    refreshScope: "offline_access",
    refreshRequiresRedirectUri: true,
    tokenReply: (issued) => ({
      ...(issued.scopes.includes("openid")
        ? { id_token: createIdToken(`https://${OAUTH_HOST}`, omronUserId(issued.account), issued) }
        : {}),
      access_token: issued.accessToken,
      expires_in: issued.expiresInS,
      token_type: "Bearer",
      ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    }),
  },
  rateLimits: [{ seconds: 60, limit: 300, scope: "token" }],
  pushPolicy: { retrySeconds: [900], timeoutSeconds: 10 },
  routes: (provider) => measurementRoutes(provider, "api.omronwellness.com/api", OAUTH_HOST, failure),
  unauthorized: () => failure(401, "Unauthorized"),
  forbidden: () => failure(403, "The token does not have the scope"),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...failure(429, "Too many requests"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedOmronRecords,
  notify: notifyOfUpload,
};
