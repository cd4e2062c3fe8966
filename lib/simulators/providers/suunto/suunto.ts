import { type RoutedRequest, readBearerToken, type SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition } from "../base/simulated-provider.ts";
import { stableUuid } from "../base/stable-ids.ts";
import type { IssuedTokens } from "../base/token-store.ts";
import { expectedSuuntoRecords } from "./suunto-expected-records.ts";
import { notifySuunto } from "./suunto-notifications.ts";
import { suuntoRoutes } from "./suunto-routes.ts";

const errorReply = (statusCode: number, message: string): SimulatedReply => ({
  status: statusCode,
  body: { statusCode, message },
});

/** Suunto Cloud API, according to https://apizone.suunto.com and public clients. */
export const suuntoDefinition: ProviderDefinition = {
  slug: "suunto",
  oauth: {
    authorizationEndpoint: "cloudapi-oauth.suunto.com/oauth/authorize",
    tokenEndpoint: "cloudapi-oauth.suunto.com/oauth/token",
    clientAuthentication: ["basic"],
    pkce: "none",
    scopes: [],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 86_400,
    refresh: "rotates",
    refreshSeconds: null,
    tokenReply: (issued) => ({
      access_token: toJwt(issued),
      token_type: "bearer",
      refresh_token: issued.refreshToken,
      expires_in: issued.expiresInS,
      scope: "workout",
      user: issued.account,
      jti: stableUuid(issued.accessToken),
    }),
  },
  readToken: readJwt,
  rateLimits: [{ seconds: 60, limit: 300, scope: "application" }],
  pushPolicy: { retrySeconds: [60, 300], timeoutSeconds: 2 },
  routes: suuntoRoutes,
  unauthorized: () => errorReply(401, "Unauthorized"),
  forbidden: () => errorReply(403, "Forbidden"),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...errorReply(429, `Rate limit is exceeded. Try again in ${resetSeconds} seconds.`),
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedSuuntoRecords,
  notify: notifySuunto,
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Access tokens are JWTs that name the user; nobody but Suunto verifies the signature. */
function toJwt({ account, accessToken }: IssuedTokens): string {
  return [encode({ alg: "HS256", typ: "JWT" }), encode({ user: account, token: accessToken }), "simulated"].join(".");
}

function readJwt(call: RoutedRequest): string {
  const [, payload = ""] = (readBearerToken(call) ?? "").split(".");
  const text = Buffer.from(payload, "base64url").toString("utf8");
  return /"token":"([^"]+)"/.exec(text)?.[1] ?? "";
}
