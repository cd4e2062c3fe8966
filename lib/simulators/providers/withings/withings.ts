import { createHmac } from "node:crypto";
import { CLIENT_ID, CLIENT_SECRET } from "../base/application.ts";
import { exchangeGrant } from "../base/oauth.ts";
import { parseForm, publicRoute, type RoutedRequest, type SimulatedReply } from "../base/simulated-http.ts";
import type { ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { withingsDataRoutes } from "./withings-data.ts";
import { expectedWithingsRecords, withingsUserId } from "./withings-expected-records.ts";
import { notifyRoutes, notifyWithings } from "./withings-notify.ts";
import { withingsReply } from "./withings-reply.ts";

const API = "wbsapi.withings.net";

/** Withings API, as published at https://developer.withings.com/api-reference. */
export const withingsDefinition: ProviderDefinition = {
  slug: "withings",
  oauth: {
    authorizationEndpoint: "account.withings.com/oauth2_user/authorize2",
    clientAuthentication: [],
    pkce: "none",
    scopes: ["user.info", "user.metrics", "user.activity", "user.sleepevents"],
    scopeSeparator: ",",
    codeSeconds: 30,
    accessSeconds: 10_800,
    refresh: "rotates",
    refreshSeconds: 31_536_000,
  },
  rateLimits: [{ seconds: 60, limit: 120, scope: "application" }],
  pushPolicy: { retrySeconds: [60, 300, 900], timeoutSeconds: 2 },
  routes: (provider) => [
    publicRoute("POST", `${API}/v2/oauth2`, (call) => tokenReply(provider, call)),
    publicRoute("POST", `${API}/v2/signature`, (call) => nonceReply(provider, call)),
    ...withingsDataRoutes(provider),
    ...notifyRoutes(provider),
  ],
  unauthorized: () =>
    withingsReply(401, "XRequestID: Not provided invalid_token: The access token provided is invalid"),
  forbidden: () => withingsReply(403, "insufficient_scope: The request requires higher privileges than provided"),
  tooManyRequests: () => withingsReply(601, "Too Many Requests"),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedWithingsRecords,
  notify: notifyWithings,
};

function tokenReply(provider: SimulatedProvider, call: RoutedRequest): SimulatedReply {
  const form = parseForm(call);
  const action = form.get("action");
  if (action === "revoke") return revokeReply(provider, form);
  if (action !== "requesttoken") return withingsReply(2555, "Unknown action");
  if (form.get("client_id") !== CLIENT_ID || form.get("client_secret") !== CLIENT_SECRET) {
    return withingsReply(503, "Invalid Params: invalid client_id or client_secret");
  }
  const issued = exchangeGrant(
    { slug: provider.slug, config: provider.definition.oauth, tokens: provider.tokens },
    form,
  );
  if (typeof issued === "string") return withingsReply(503, `Invalid Params: ${issued}`);
  return withingsReply(0, {
    userid: String(withingsUserId(issued.account)),
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    expires_in: issued.expiresInS,
    scope: issued.scopes.join(","),
    csrf_token: "none",
    token_type: "Bearer",
  });
}

/** Issues a nonce for one signed request. */
function nonceReply(provider: SimulatedProvider, call: RoutedRequest): SimulatedReply {
  const form = parseForm(call);
  const isSigned = hasValidSignature(form, ["action", "client_id", "timestamp"]);
  if (form.get("action") !== "getnonce" || !isSigned) return withingsReply(503, "Invalid Params: invalid signature");
  const value = `nonce-${provider.nextId()}`;
  provider.storedKeys.add(value);
  return withingsReply(0, { nonce: value });
}

function revokeReply(provider: SimulatedProvider, form: URLSearchParams): SimulatedReply {
  const isFresh = provider.storedKeys.delete(form.get("nonce") ?? "");
  if (!isFresh || !hasValidSignature(form, ["action", "client_id", "nonce"])) {
    return withingsReply(503, "Invalid Params: invalid signature");
  }
  const account = provider.tokens.accounts().find((known) => String(withingsUserId(known)) === form.get("userid"));
  if (account === undefined) return withingsReply(503, "Invalid Params: unknown user");
  provider.tokens.revoke(account);
  return withingsReply(0, {});
}

/** Verifies the HMAC-SHA256 of form values joined by commas. */
function hasValidSignature(form: URLSearchParams, names: readonly string[]): boolean {
  const signed = names.map((name) => form.get(name) ?? "").join(",");
  const right = createHmac("sha256", CLIENT_SECRET).update(signed).digest("hex");
  return form.get("client_id") === CLIENT_ID && form.get("signature") === right;
}
