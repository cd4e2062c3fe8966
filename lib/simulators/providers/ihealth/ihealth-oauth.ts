import { createHash } from "node:crypto";
import { isApplication } from "../base/application.ts";
import { exchangeGrant, type OAuthServerConfig, oauthRoutes } from "../base/oauth.ts";
import { publicRoute, type Route, type RoutedRequest, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import type { IssuedTokens } from "../base/token-store.ts";

/** The one address of authorization requests and token requests; all are GET, with parameters in the query. */
export const AUTHORIZATION = "api.ihealthlabs.com:8443/OpenApiV2/OAuthv2/userauthorization/";

/** The provider's user id of an account. */
export const ihealthUserId = (account: string): string =>
  createHash("sha256").update(`ihealth ${account}`).digest("hex").slice(0, 32);

/** A token response; `APIName` is the granted scope. */
export const toTokenReply = ({ account, scopes, accessToken, refreshToken, expiresInS }: IssuedTokens) => ({
  APIName: scopes.join(" "),
  AccessToken: accessToken,
  Expires: expiresInS,
  RefreshToken: refreshToken,
  UserID: ihealthUserId(account),
  client_para: "",
});

/** Tells the requests of the address apart: a code by `grant_type`, a refresh by `response_type`. */
export function authorizationRoute(provider: SimulatedProvider, config: OAuthServerConfig): Route {
  const { slug, tokens } = provider;
  const [page] = oauthRoutes({ slug, config, tokens });
  return publicRoute("GET", AUTHORIZATION, (call) => {
    if (call.query.get("response_type") === "code") return page!.answer(withScope(call), undefined);
    return tokenReply(provider, config, call);
  });
}

function tokenReply(provider: SimulatedProvider, config: OAuthServerConfig, call: RoutedRequest): SimulatedReply {
  if (!isApplication(call, config.clientAuthentication)) return config.errorReply!("invalid_client");
  const fields = new URLSearchParams(call.query);
  const isRefresh = fields.get("response_type") === "refresh_token";
  fields.set("grant_type", isRefresh ? "refresh_token" : "authorization_code");
  const issued = exchangeGrant({ slug: provider.slug, config, tokens: provider.tokens }, fields);
  return typeof issued === "string" ? config.errorReply!(issued) : { status: 200, body: toTokenReply(issued) };
}

/** iHealth names scopes `APIName`. */
function withScope(call: RoutedRequest): RoutedRequest {
  const query = new URLSearchParams(call.query);
  query.set("scope", query.get("APIName") ?? "");
  return { ...call, query };
}
