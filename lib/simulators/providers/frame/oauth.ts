import { CLIENT_ID, type ClientAuthentication, isApplication, isRedirectUri } from "./application.ts";
import { consentPage, refusalPage } from "./consent-page.ts";
import { type Call, formOf, open, type Route, type SimulatedReply } from "./simulated-http.ts";
import type { IssuedTokens, TokenBook, TokenLife } from "./token-book.ts";

/** The OAuth configuration of a simulated provider, according to its documentation. */
export interface OAuthRules extends TokenLife {
  /** Authorization endpoint: host and path. */
  readonly authorize: string;
  /** Token endpoint: host and path. Absent if a provider implements its own token route. */
  readonly token?: string;
  readonly clientAuthentication: readonly ClientAuthentication[];
  /** Whether the provider requires, accepts or ignores PKCE. */
  readonly pkce: "required" | "allowed" | "none";
  readonly scopes: readonly string[];
  readonly scopeSeparator: " " | ",";
  /** True if the redirect carries the granted scopes. */
  readonly tellsScope?: boolean;
  readonly leastStateLength?: number;
  /** True if refresh tokens require `access_type=offline`. */
  readonly hasAccessType?: boolean;
  /** True if a refresh request must include the redirect URI. */
  readonly needsRedirectUri?: boolean;
  /** Scopes of a request without `scope`; default: none. */
  readonly defaultScopes?: readonly string[];
  /** Formats a token response; default: RFC 6749, section 5.1. */
  reply?(issued: IssuedTokens): Readonly<Record<string, unknown>>;
  /** Formats an error response; default: RFC 6749, section 5.2. */
  refusal?(error: TokenError): SimulatedReply;
}

/** Error codes of token responses (RFC 6749, section 5.2). */
export type TokenError = "invalid_client" | "invalid_grant" | "invalid_request" | "unsupported_grant_type";

/** The authorization server of a simulated provider. */
export interface OAuthDesk {
  readonly slug: string;
  readonly rules: OAuthRules;
  readonly tokens: TokenBook;
}

/** The routes of the authorization endpoint and, unless the provider implements its own, of the token endpoint. */
export function oauthRoutes(desk: OAuthDesk): Route[] {
  const { rules } = desk;
  const page = open("GET", rules.authorize, (call) => authorize(desk, call));
  return rules.token === undefined ? [page] : [page, open("POST", rules.token, (call) => token(desk, call))];
}

/** Exchanges a code or refresh token for tokens, independent of the response format. */
export function exchange({ slug, rules, tokens }: OAuthDesk, fields: URLSearchParams): IssuedTokens | TokenError {
  const grantType = fields.get("grant_type");
  if (grantType === "authorization_code") {
    const verifier = rules.pkce === "none" ? null : fields.get("code_verifier");
    return tokens.redeem(fields.get("code") ?? "", fields.get("redirect_uri"), verifier) ?? "invalid_grant";
  }
  if (grantType !== "refresh_token" || rules.refresh === "none") return "unsupported_grant_type";
  if (rules.needsRedirectUri && !isRedirectUri(fields.get("redirect_uri"), slug)) return "invalid_request";
  return tokens.refresh(fields.get("refresh_token") ?? "") ?? "invalid_grant";
}

function token(desk: OAuthDesk, call: Call): SimulatedReply {
  const { rules } = desk;
  const refusal = (error: TokenError) => rules.refusal?.(error) ?? plainRefusal(error);
  if (!isApplication(call, rules.clientAuthentication)) return refusal("invalid_client");
  const fields = rules.clientAuthentication.includes("query") ? call.query : formOf(call);
  const issued = exchange(desk, fields);
  if (typeof issued === "string") return refusal(issued);
  return {
    status: 200,
    headers: { "cache-control": "no-store" },
    body: rules.reply?.(issued) ?? plainReply(issued, rules),
  };
}

/** The token response of RFC 6749, section 5.1. */
export function plainReply(issued: IssuedTokens, { scopeSeparator }: Pick<OAuthRules, "scopeSeparator">) {
  return {
    access_token: issued.accessToken,
    token_type: "bearer",
    ...(issued.expiresInS === null ? {} : { expires_in: issued.expiresInS }),
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    scope: issued.scopes.join(scopeSeparator),
  };
}

function plainRefusal(error: TokenError): SimulatedReply {
  return { status: error === "invalid_client" ? 401 : 400, body: { error } };
}

function authorize(desk: OAuthDesk, { query }: Call): SimulatedReply {
  const { slug, rules } = desk;
  const redirectUri = query.get("redirect_uri");
  if (query.get("client_id") !== CLIENT_ID) return refused(slug, "Unknown application.");
  if (redirectUri === null || !isRedirectUri(redirectUri, slug))
    return refused(slug, "This redirect URI is not allowed.");
  const requested = scopesOf(query.get("scope"), rules);
  const error = requestError(query, rules, requested);
  if (error !== undefined) return sendBack(redirectUri, query, { error });
  const answer = query.get("auto");
  if (answer === null) return html(200, consentPage({ slug, scopes: requested, query }));
  if (answer === "deny") return sendBack(redirectUri, query, { error: "access_denied" });
  const scopes = requested.filter((scope) => isGranted(query, scope));
  const account = query.get("account") ?? "ada";
  if (!/^[a-z0-9-]{1,40}$/.test(account)) return refused(slug, "Invalid account name.");
  const challenge = rules.pkce === "none" ? null : query.get("code_challenge");
  const isOnline = rules.hasAccessType === true && query.get("access_type") !== "offline";
  const code = desk.tokens.issueCode({ account, scopes, redirectUri, challenge, isOnline });
  return sendBack(redirectUri, query, {
    code,
    ...(rules.tellsScope ? { scope: scopes.join(rules.scopeSeparator) } : {}),
  });
}

function requestError(query: URLSearchParams, rules: OAuthRules, requested: readonly string[]): string | undefined {
  if (query.get("response_type") !== "code") return "unsupported_response_type";
  if ((query.get("state") ?? "").length < (rules.leastStateLength ?? 0)) return "invalid_state";
  if (requested.some((scope) => !rules.scopes.includes(scope))) return "invalid_scope";
  const isBound = query.has("code_challenge");
  if (rules.pkce === "required" && !isBound) return "invalid_request";
  if (rules.pkce !== "none" && isBound && query.get("code_challenge_method") !== "S256") return "invalid_request";
  return undefined;
}

function scopesOf(given: string | null, rules: OAuthRules): readonly string[] {
  const names = (given ?? "").split(rules.scopeSeparator).filter((name) => name !== "");
  return names.length > 0 ? names : (rules.defaultScopes ?? []);
}

/** `auto=allow` grants all scopes except those in `without`; `auto=chosen` grants those in `granted`. */
function isGranted(query: URLSearchParams, scope: string): boolean {
  if (query.get("auto") === "chosen") return query.getAll("granted").includes(scope);
  return !(query.get("without") ?? "").split(",").includes(scope);
}

function sendBack(
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

function refused(slug: string, reason: string): SimulatedReply {
  return html(400, refusalPage(slug, reason));
}

function html(status: number, body: string): SimulatedReply {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}
