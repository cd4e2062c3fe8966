import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import type { ClientCredentials } from "./client-credentials.ts";
import type { OAuthDescription, Revocation, TokenResponse } from "./connector.ts";
import type { ProviderFetch, ProviderRequest } from "./provider-client.ts";
import { AccessEnded, ApplicationRefused, ProviderUnavailable } from "./provider-error.ts";
import { toStandardReply } from "./token-reply.ts";

/** The parameters of an authorization request (RFC 6749, section 4.1.1; RFC 7636). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** PKCE code verifier; absent if the provider does not support PKCE. */
  readonly codeVerifier?: string | undefined;
}

/** The application and redirect URI of a token request. */
export interface TokenRequest {
  readonly app: ClientCredentials;
  readonly redirectUri: string;
  readonly fetch: ProviderFetch;
}

/** The redirect carries an error (RFC 6749, section 4.1.2.1); `isByUser` is true for `access_denied`. */
export class AuthorizationRefused extends Error {
  override readonly name = "AuthorizationRefused";
  readonly isByUser: boolean;

  constructor(isByUser: boolean, options: ErrorOptions) {
    super("the provider denied the authorization request", options);
    this.isByUser = isByUser;
  }
}

/** Builds the authorization URL that the user opens to grant access. */
export function buildAuthorizationUrl(description: OAuthDescription, request: AuthorizationRequest): string {
  const url = new URL(description.authorizationUrl);
  const challenge = request.codeVerifier && createHash("sha256").update(request.codeVerifier).digest("base64url");
  const parameters = {
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    ...(request.scopes.length > 0
      ? { [description.scopeParameter ?? "scope"]: request.scopes.join(description.scopeSeparator) }
      : {}),
    state: request.state,
    ...(challenge ? { code_challenge: challenge, code_challenge_method: "S256" } : {}),
    ...description.authorizationParameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Exchanges an authorization code for tokens. Validates the redirect first: its state and its issuer if present
 * (RFC 9207). Sends the PKCE code verifier if the provider supports PKCE.
 * @throws AuthorizationRefused if the redirect carries an error; AccessEnded for an invalid code; ApplicationRefused;
 * ProviderUnavailable.
 */
export async function exchangeCode(
  description: OAuthDescription,
  { app, redirectUri, fetch }: TokenRequest,
  redirect: URLSearchParams,
  expected: { readonly state: string; readonly codeVerifier?: string | undefined },
): Promise<TokenResponse> {
  const [server, client] = [toAuthorizationServer(description), { client_id: app.clientId }];
  return mapOAuthErrors(async () => {
    const parameters = oauth.validateAuthResponse(server, client, redirect, expected.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      toClientAuthentication(description, app),
      parameters,
      redirectUri,
      expected.codeVerifier ?? oauth.nopkce,
      { ...requestOptions(description, fetch), additionalParameters: { ...description.tokenParameters } },
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
}

/** Refreshes tokens. @throws AccessEnded if the refresh token is invalid; ApplicationRefused; ProviderUnavailable. */
export async function refreshTokens(
  description: OAuthDescription,
  { app, redirectUri, fetch }: TokenRequest,
  refreshToken: string,
): Promise<TokenResponse> {
  const [server, client] = [toAuthorizationServer(description), { client_id: app.clientId }];
  const redirect = description.refreshRequiresRedirectUri ? { redirect_uri: redirectUri } : {};
  const additionalParameters = { ...description.tokenParameters, ...description.refreshParameters, ...redirect };
  return mapOAuthErrors(async () => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      toClientAuthentication(description, app),
      refreshToken,
      { ...requestOptions(description, fetch), additionalParameters },
    );
    return oauth.processRefreshTokenResponse(server, client, response);
  });
}

/** Revokes a token (RFC 7009). @throws ProviderUnavailable. */
export async function revokeToken(
  description: OAuthDescription,
  { url, clientAuthentication = description.clientAuthentication }: Extract<Revocation, { kind: "standard" }>,
  { app, fetch }: Pick<TokenRequest, "app" | "fetch">,
  token: string,
): Promise<void> {
  const server = { ...toAuthorizationServer(description), revocation_endpoint: url };
  const authentication = toClientAuthentication({ clientAuthentication }, app);
  await mapOAuthErrors(async () => {
    const way = requestOptions({}, fetch);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, { client_id: app.clientId }, authentication, token, way),
    );
  });
}

/** Reads the granted scopes from the token response or the redirect; defaults to the requested scopes. */
export function readGrantedScopes(
  { returnsScopesInRedirect }: OAuthDescription,
  reply: TokenResponse,
  redirect: URLSearchParams,
  asked: readonly string[],
): string[] {
  const granted = reply.scope ?? (returnsScopesInRedirect ? redirect.get("scope") : null);
  if (typeof granted !== "string" || granted === "") return [...asked];
  return granted.split(/[\s,]+/).filter((scope) => scope !== "");
}

function toAuthorizationServer({ authorizationUrl, tokenUrl, issuer }: OAuthDescription): oauth.AuthorizationServer {
  return {
    issuer: issuer ?? new URL(authorizationUrl).origin,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
  };
}

const toClientAuthentication = (
  { clientAuthentication }: Pick<OAuthDescription, "clientAuthentication">,
  { clientSecret }: ClientCredentials,
): oauth.ClientAuth =>
  clientAuthentication === "body" ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);

/** Sends OAuth requests through `fetch` and converts provider-specific responses to the form of RFC 6749. */
function requestOptions(
  { unwrap, ...description }: Pick<OAuthDescription, "unwrap" | "tokenRequestForm" | "renameParameters">,
  fetch: ProviderFetch,
) {
  const send = async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>) => {
    const form = { method, headers: { ...headers }, body: String(body ?? "") };
    return toStandardReply(await sendForm(url, form), unwrap);
  };
  const sendForm = (url: string, { method, headers, body }: Required<ProviderRequest>) => {
    const { renameParameters = (form) => form, tokenRequestForm: place } = description;
    const form = renameParameters(new URLSearchParams(body)).toString();
    if (place === undefined) return fetch(url, { method, headers, body: form });
    const { "content-type": _, ...others } = headers;
    return fetch(`${url}?${form}`, { method: place === "query of a GET" ? "GET" : "POST", headers: others });
  };
  return { [oauth.customFetch]: send };
}

/** Error codes that providers return for an invalid code or refresh token. */
const isGrantError = (error: string) => /^(invalid_grant|invalid_token|access_denied|unauthorized_client)$/.test(error);

/** Error codes of a server that is down for now (RFC 6749, section 4.1.2.1); token endpoints return them too. */
const isTemporary = (error: string) => /^(temporarily_unavailable|server_error)$/.test(error);

/** The error code of a response: that of the body, else that of a challenge (RFC 6750, section 3). */
function readErrorCode(cause: unknown): string | undefined {
  if (cause instanceof oauth.ResponseBodyError) return cause.error;
  if (!(cause instanceof oauth.WWWAuthenticateChallengeError)) return undefined;
  return cause.cause.map(({ parameters }) => parameters.error).find((error) => error !== undefined) ?? "";
}

async function mapOAuthErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof oauth.AuthorizationResponseError) {
      throw new AuthorizationRefused(cause.error === "access_denied", { cause });
    }
    const error = readErrorCode(cause);
    if (error !== undefined) {
      if (isGrantError(error)) throw new AccessEnded("the provider rejected the grant", { cause });
      if (isTemporary(error)) throw new ProviderUnavailable("the provider is not available at present", { cause });
      throw new ApplicationRefused({ cause });
    }
    if (cause instanceof oauth.OperationProcessingError || cause instanceof oauth.UnsupportedOperationError) {
      throw new ProviderUnavailable("the provider's response does not conform to OAuth", { cause });
    }
    throw cause;
  }
}
