import { CLIENT_ID, type ClientAuthentication, isAllowedRedirectUri, isApplication } from "./application.ts";
import { renderConsentPage, renderErrorPage } from "./consent-page.ts";
import { parseForm, publicRoute, type Route, type RoutedRequest, type SimulatedReply } from "./simulated-http.ts";
import type { IssuedTokens, TokenLifetimes, TokenStore } from "./token-store.ts";

/** The OAuth configuration of a simulated provider, according to its documentation. */
export interface OAuthServerConfig extends TokenLifetimes {
  /** Authorization endpoint: host and path. */
  readonly authorizationEndpoint: string;
  /** Token endpoint: host and path. Absent if a provider implements its own token route. */
  readonly tokenEndpoint?: string;
  readonly clientAuthentication: readonly ClientAuthentication[];
  /** Whether the provider requires, accepts or ignores PKCE. */
  readonly pkce: "required" | "allowed" | "none";
  readonly scopes: readonly string[];
  readonly scopeSeparator: " " | ",";
  /** True if the redirect carries the granted scopes. */
  readonly returnsScopeInRedirect?: boolean;
  readonly minStateLength?: number;
  /** True if refresh tokens require `access_type=offline`. */
  readonly hasAccessType?: boolean;
  /** True if a refresh request must include the redirect URI. */
  readonly refreshRequiresRedirectUri?: boolean;
  /** Scopes of a request without `scope`; default: none. */
  readonly defaultScopes?: readonly string[];
  /** True if token requests must name scopes. */
  readonly tokenRequestRequiresScope?: boolean;
  /** Formats a token response; default: RFC 6749, section 5.1. */
  tokenReply?(issued: IssuedTokens): Readonly<Record<string, unknown>>;
  /** Formats an error response; default: RFC 6749, section 5.2. */
  errorReply?(error: TokenError): SimulatedReply;
}

/** Error codes of token responses (RFC 6749, section 5.2). */
export type TokenError = "invalid_client" | "invalid_grant" | "invalid_request" | "unsupported_grant_type";

/** The authorization server of a simulated provider. */
export interface AuthorizationServer {
  readonly slug: string;
  readonly config: OAuthServerConfig;
  readonly tokens: TokenStore;
}

/** The routes of the authorization endpoint and, unless the provider implements its own, of the token endpoint. */
export function oauthRoutes(server: AuthorizationServer): Route[] {
  const { config } = server;
  const page = publicRoute("GET", config.authorizationEndpoint, (call) => handleAuthorizationRequest(server, call));
  return config.tokenEndpoint === undefined
    ? [page]
    : [page, publicRoute("POST", config.tokenEndpoint, (call) => handleTokenRequest(server, call))];
}

/** Exchanges a code or refresh token for tokens, independent of the response format. */
export function exchangeGrant(
  { slug, config: rules, tokens }: AuthorizationServer,
  fields: URLSearchParams,
): IssuedTokens | TokenError {
  if (rules.tokenRequestRequiresScope && !fields.get("scope")) return "invalid_request";
  const grantType = fields.get("grant_type");
  if (grantType === "authorization_code") {
    const verifier = rules.pkce === "none" ? null : fields.get("code_verifier");
    return tokens.redeem(fields.get("code") ?? "", fields.get("redirect_uri"), verifier) ?? "invalid_grant";
  }
  if (grantType !== "refresh_token" || rules.refresh === "none") return "unsupported_grant_type";
  if (rules.refreshRequiresRedirectUri && !isAllowedRedirectUri(fields.get("redirect_uri"), slug))
    return "invalid_request";
  return tokens.refresh(fields.get("refresh_token") ?? "") ?? "invalid_grant";
}

function handleTokenRequest(server: AuthorizationServer, call: RoutedRequest): SimulatedReply {
  const { config } = server;
  const refusal = (error: TokenError) => config.errorReply?.(error) ?? standardErrorReply(error);
  if (!isApplication(call, config.clientAuthentication)) return refusal("invalid_client");
  const fields = config.clientAuthentication.includes("query") ? call.query : parseForm(call);
  const issued = exchangeGrant(server, fields);
  if (typeof issued === "string") return refusal(issued);
  return {
    status: 200,
    headers: { "cache-control": "no-store" },
    body: config.tokenReply?.(issued) ?? standardTokenReply(issued, config),
  };
}

/** The token response of RFC 6749, section 5.1. */
function standardTokenReply(issued: IssuedTokens, { scopeSeparator }: Pick<OAuthServerConfig, "scopeSeparator">) {
  return {
    access_token: issued.accessToken,
    token_type: "bearer",
    ...(issued.expiresInS === null ? {} : { expires_in: issued.expiresInS }),
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    scope: issued.scopes.join(scopeSeparator),
  };
}

/** The error response of RFC 6749, section 5.2, with the challenge that common authorization servers add. */
function standardErrorReply(error: TokenError): SimulatedReply {
  const headers = { "www-authenticate": `Bearer realm="tokens", error="${error}"` };
  return { status: error === "invalid_client" ? 401 : 400, headers, body: { error } };
}

function handleAuthorizationRequest(server: AuthorizationServer, { query }: RoutedRequest): SimulatedReply {
  const { slug, config } = server;
  const redirectUri = query.get("redirect_uri");
  if (query.get("client_id") !== CLIENT_ID) return errorReply(slug, "Unknown application.");
  if (redirectUri === null || !isAllowedRedirectUri(redirectUri, slug))
    return errorReply(slug, "This redirect URI is not allowed.");
  const requested = requestedScopes(query.get("scope"), config);
  const error = validateAuthorizationRequest(query, config, requested);
  if (error !== undefined) return redirectToApplication(redirectUri, query, { error });
  const answer = query.get("auto");
  if (answer === null) return htmlReply(200, renderConsentPage({ slug, scopes: requested, query }));
  if (answer === "deny") return redirectToApplication(redirectUri, query, { error: "access_denied" });
  const scopes = requested.filter((scope) => isGranted(query, scope));
  const account = query.get("account") ?? "ada";
  if (!/^[a-z0-9-]{1,40}$/.test(account)) return errorReply(slug, "Invalid account name.");
  const challenge = config.pkce === "none" ? null : query.get("code_challenge");
  const isOnline = config.hasAccessType === true && query.get("access_type") !== "offline";
  const code = server.tokens.issueCode({ account, scopes, redirectUri, challenge, isOnline });
  return redirectToApplication(redirectUri, query, {
    code,
    ...(config.returnsScopeInRedirect ? { scope: scopes.join(config.scopeSeparator) } : {}),
  });
}

function validateAuthorizationRequest(
  query: URLSearchParams,
  rules: OAuthServerConfig,
  requested: readonly string[],
): string | undefined {
  if (query.get("response_type") !== "code") return "unsupported_response_type";
  if ((query.get("state") ?? "").length < (rules.minStateLength ?? 0)) return "invalid_state";
  if (requested.some((scope) => !rules.scopes.includes(scope))) return "invalid_scope";
  const isBound = query.has("code_challenge");
  if (rules.pkce === "required" && !isBound) return "invalid_request";
  if (rules.pkce !== "none" && isBound && query.get("code_challenge_method") !== "S256") return "invalid_request";
  return undefined;
}

function requestedScopes(given: string | null, rules: OAuthServerConfig): readonly string[] {
  const names = (given ?? "").split(rules.scopeSeparator).filter((name) => name !== "");
  return names.length > 0 ? names : (rules.defaultScopes ?? []);
}

/** `auto=allow` grants all scopes except those in `without`; `auto=chosen` grants those in `granted`. */
function isGranted(query: URLSearchParams, scope: string): boolean {
  if (query.get("auto") === "chosen") return query.getAll("granted").includes(scope);
  return !(query.get("without") ?? "").split(",").includes(scope);
}

function redirectToApplication(
  redirectUri: string,
  query: URLSearchParams,
  fields: Readonly<Record<string, string>>,
): SimulatedReply {
  const url = new URL(redirectUri);
  const state = query.get("state");
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  return { status: 302, headers: { location: url.href } };
}

function errorReply(slug: string, reason: string): SimulatedReply {
  return htmlReply(400, renderErrorPage(slug, reason));
}

function htmlReply(status: number, body: string): SimulatedReply {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}
