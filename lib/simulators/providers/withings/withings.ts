import { createHmac } from "node:crypto";
import { CLIENT_ID, CLIENT_SECRET } from "../frame/application.ts";
import { exchange } from "../frame/oauth.ts";
import type { ProviderDesk, ProviderRules } from "../frame/provider-desk.ts";
import { type Call, formOf, open, type SimulatedReply } from "../frame/simulated-http.ts";
import { withingsDataRoutes } from "./withings-data.ts";
import { notifyRoutes, notifyWithings } from "./withings-notify.ts";
import { withingsReply } from "./withings-reply.ts";
import { withingsTruth, withingsUserId } from "./withings-truth.ts";

const API = "wbsapi.withings.net";

/** Withings API, as published at https://developer.withings.com/api-reference. */
export const withings: ProviderRules = {
  slug: "withings",
  oauth: {
    authorize: "account.withings.com/oauth2_user/authorize2",
    clientAuthentication: [],
    pkce: "none",
    scopes: ["user.info", "user.metrics", "user.activity", "user.sleepevents"],
    scopeSeparator: ",",
    codeSeconds: 30,
    accessSeconds: 10_800,
    refresh: "rotates",
    refreshSeconds: 31_536_000,
  },
  limits: [{ seconds: 60, most: 120, of: "application" }],
  pushes: { retrySeconds: [60, 300, 900], timeoutSeconds: 2 },
  routes: (desk) => [
    open("POST", `${API}/v2/oauth2`, (call) => tokens(desk, call)),
    open("POST", `${API}/v2/signature`, (call) => nonce(desk, call)),
    ...withingsDataRoutes(desk),
    ...notifyRoutes(desk),
  ],
  unauthorized: () =>
    withingsReply(401, "XRequestID: Not provided invalid_token: The access token provided is invalid"),
  forbidden: () => withingsReply(403, "insufficient_scope: The request requires higher privileges than provided"),
  tooMany: () => withingsReply(601, "Too Many Requests"),
  limitHeaders: () => ({}),
  truth: withingsTruth,
  notify: notifyWithings,
};

function tokens(desk: ProviderDesk, call: Call): SimulatedReply {
  const form = formOf(call);
  const action = form.get("action");
  if (action === "revoke") return revoke(desk, form);
  if (action !== "requesttoken") return withingsReply(2555, "Unknown action");
  if (form.get("client_id") !== CLIENT_ID || form.get("client_secret") !== CLIENT_SECRET) {
    return withingsReply(503, "Invalid Params: invalid client_id or client_secret");
  }
  const issued = exchange({ slug: desk.slug, rules: desk.rules.oauth, tokens: desk.tokens }, form);
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
function nonce(desk: ProviderDesk, call: Call): SimulatedReply {
  const form = formOf(call);
  const isSigned = isSignedBy(form, ["action", "client_id", "timestamp"]);
  if (form.get("action") !== "getnonce" || !isSigned) return withingsReply(503, "Invalid Params: invalid signature");
  const value = `nonce-${desk.nextId()}`;
  desk.noted.add(value);
  return withingsReply(0, { nonce: value });
}

function revoke(desk: ProviderDesk, form: URLSearchParams): SimulatedReply {
  const isFresh = desk.noted.delete(form.get("nonce") ?? "");
  if (!isFresh || !isSignedBy(form, ["action", "client_id", "nonce"])) {
    return withingsReply(503, "Invalid Params: invalid signature");
  }
  const account = desk.tokens.accounts().find((known) => String(withingsUserId(known)) === form.get("userid"));
  if (account === undefined) return withingsReply(503, "Invalid Params: unknown user");
  desk.tokens.revoke(account);
  return withingsReply(0, {});
}

/** Verifies the HMAC-SHA256 of form values joined by commas. */
function isSignedBy(form: URLSearchParams, names: readonly string[]): boolean {
  const signed = names.map((name) => form.get(name) ?? "").join(",");
  const right = createHmac("sha256", CLIENT_SECRET).update(signed).digest("hex");
  return form.get("client_id") === CLIENT_ID && form.get("signature") === right;
}
