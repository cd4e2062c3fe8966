import { oauthRoutes } from "../base/oauth.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { dexcomDataRoutes } from "./dexcom-data.ts";
import { expectedDexcomRecords } from "./dexcom-expected-records.ts";

const [MAIN, ...OTHERS] = ["api.dexcom.com", "api.dexcom.eu", "api.dexcom.jp", "sandbox-api.dexcom.com"] as const;

const faultReply = (status: number, faultstring: string, errorcode: string): SimulatedReply => ({
  status,
  body: { fault: { faultstring, detail: { errorcode } } },
});

const oauth: ProviderDefinition["oauth"] = {
  authorizationEndpoint: `${MAIN}/v2/oauth2/login`,
  tokenEndpoint: `${MAIN}/v2/oauth2/token`,
  clientAuthentication: ["body"],
  pkce: "none",
  scopes: ["offline_access", "egv", "calibration", "event", "device", "statistics"],
  scopeSeparator: " ",
  codeSeconds: 60,
  accessSeconds: 7_200,
  refresh: "rotates",
  refreshSeconds: 31_536_000,
  refreshScope: "offline_access",
  refreshRequiresRedirectUri: true,
  tokenReply: ({ accessToken, refreshToken, expiresInS }) => ({
    access_token: accessToken,
    expires_in: expiresInS,
    token_type: "Bearer",
    refresh_token: refreshToken,
  }),
};

/** Dexcom API v3, as published at https://developer.dexcom.com; all regional hosts share the data. */
export const dexcomDefinition: ProviderDefinition = {
  slug: "dexcom_v3",
  oauth,
  rateLimits: [{ seconds: 3_600, limit: 60_000, scope: "application" }],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 10 },
  routes: (provider) => [
    ...regionalOAuthRoutes(provider),
    ...[MAIN, ...OTHERS].flatMap((host) => dexcomDataRoutes(provider, host)),
  ],
  unauthorized: () => faultReply(401, "Invalid Access Token", "keymanagement.service.invalid_access_token"),
  forbidden: () => faultReply(403, "Insufficient scope", "oauth.v2.InsufficientScope"),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...faultReply(429, "Rate limit quota violation. Quota limit exceeded.", "policies.ratelimit.QuotaViolation"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedDexcomRecords,
};

function regionalOAuthRoutes({ slug, tokens }: SimulatedProvider) {
  return OTHERS.flatMap((host) => {
    const rules = {
      ...oauth,
      authorizationEndpoint: `${host}/v2/oauth2/login`,
      tokenEndpoint: `${host}/v2/oauth2/token`,
    };
    return oauthRoutes({ slug, config: rules, tokens });
  });
}
