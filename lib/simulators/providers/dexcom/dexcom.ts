import { oauthRoutes } from "../frame/oauth.ts";
import type { ProviderDesk, ProviderRules } from "../frame/provider-desk.ts";
import type { SimulatedReply } from "../frame/simulated-http.ts";
import { dexcomDataRoutes } from "./dexcom-data.ts";
import { dexcomTruth } from "./dexcom-truth.ts";

const [MAIN, ...OTHERS] = ["api.dexcom.com", "api.dexcom.eu", "api.dexcom.jp", "sandbox-api.dexcom.com"] as const;

const fault = (status: number, faultstring: string, errorcode: string): SimulatedReply => ({
  status,
  body: { fault: { faultstring, detail: { errorcode } } },
});

const oauth: ProviderRules["oauth"] = {
  authorize: `${MAIN}/v2/oauth2/login`,
  token: `${MAIN}/v2/oauth2/token`,
  clientAuthentication: ["body"],
  pkce: "none",
  scopes: ["offline_access", "egv", "calibration", "event", "device", "statistics"],
  scopeSeparator: " ",
  codeSeconds: 60,
  accessSeconds: 7_200,
  refresh: "rotates",
  refreshSeconds: 31_536_000,
  refreshScope: "offline_access",
  needsRedirectUri: true,
  reply: ({ accessToken, refreshToken, expiresInS }) => ({
    access_token: accessToken,
    expires_in: expiresInS,
    token_type: "Bearer",
    refresh_token: refreshToken,
  }),
};

/** Dexcom API v3, as published at https://developer.dexcom.com; all regional hosts share the data. */
export const dexcom: ProviderRules = {
  slug: "dexcom_v3",
  oauth,
  limits: [{ seconds: 3_600, most: 60_000, of: "application" }],
  pushes: { retrySeconds: [], timeoutSeconds: 10 },
  routes: (desk) => [...otherHosts(desk), ...[MAIN, ...OTHERS].flatMap((host) => dexcomDataRoutes(desk, host))],
  unauthorized: () => fault(401, "Invalid Access Token", "keymanagement.service.invalid_access_token"),
  forbidden: () => fault(403, "Insufficient scope", "oauth.v2.InsufficientScope"),
  tooMany: (_, { resetSeconds }) => ({
    ...fault(429, "Rate limit quota violation. Quota limit exceeded.", "policies.ratelimit.QuotaViolation"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  limitHeaders: () => ({}),
  truth: dexcomTruth,
};

function otherHosts({ slug, tokens }: ProviderDesk) {
  return OTHERS.flatMap((host) => {
    const rules = { ...oauth, authorize: `${host}/v2/oauth2/login`, token: `${host}/v2/oauth2/token` };
    return oauthRoutes({ slug, rules, tokens });
  });
}
