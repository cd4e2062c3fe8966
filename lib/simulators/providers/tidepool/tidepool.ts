import { createIdToken } from "../base/id-token.ts";
import { parseForm, publicRoute, type SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { dataRoutes } from "./data-routes.ts";
import { expectedDiabetesData, tidepoolUserId } from "./expected-diabetes-data.ts";

const ISSUER = "https://auth.tidepool.org/realms/tidepool";
const REALM = "auth.tidepool.org/realms/tidepool/protocol/openid-connect";
const API_HOST = "api.tidepool.org";

const statusReply = (code: number, reason: string): SimulatedReply => ({ status: code, body: { code, reason } });

/**
 * Tidepool API, as published at https://github.com/tidepool-org/TidepoolApi, with OpenID Connect by Keycloak. The
 * API takes the access token in a header of its own. The documents name no limits, so these are our choice.
 */
export const tidepoolDefinition: ProviderDefinition = {
  slug: "tidepool",
  oauth: {
    authorizationEndpoint: `${REALM}/auth`,
    tokenEndpoint: `${REALM}/token`,
    clientAuthentication: ["body", "basic"],
    pkce: "required",
    scopes: ["openid", "email", "offline_access"],
    scopeSeparator: " ",
    codeSeconds: 60,
    accessSeconds: 600,
    refresh: "rotates",
    refreshSeconds: 1_209_600,
    refreshScope: "offline_access",
    tokenReply: (issued) => ({
      access_token: issued.accessToken,
      expires_in: issued.expiresInS,
      ...(issued.refreshToken === undefined
        ? {}
        : { refresh_token: issued.refreshToken, refresh_expires_in: 1_209_600 }),
      token_type: "Bearer",
      ...(issued.scopes.includes("openid")
        ? { id_token: createIdToken(ISSUER, tidepoolUserId(issued.account), issued) }
        : {}),
      scope: issued.scopes.join(" "),
    }),
  },
  rateLimits: [{ seconds: 60, limit: 300, scope: "token" }],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 10 },
  routes: (provider) => [
    ...dataRoutes(provider, REALM, API_HOST),
    publicRoute("POST", `${REALM}/revoke`, (call) => {
      const account = provider.tokens.findAccount(parseForm(call).get("token") ?? "");
      if (account !== undefined) provider.tokens.revoke(account);
      return { status: 200 };
    }),
  ],
  readToken: ({ host, headers }) =>
    host === API_HOST ? headers["x-tidepool-session-token"] : /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1],
  unauthorized: () => statusReply(401, "No X-Tidepool-Session-Token was found"),
  forbidden: () => statusReply(403, "Not authorized for requested operation"),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...statusReply(429, "Too many requests"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedDiabetesData,
};
