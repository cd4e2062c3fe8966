import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import type { ClientCredentials, OAuthDescription, Revocation, TokenReply } from "./connector.ts";
import { AccessEnded, ApplicationRefused, ProviderUnavailable } from "./provider-error.ts";
import type { ProviderFetch } from "./provider-http.ts";

/** What an authorization request needs beside the provider's description. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** Absent where the provider has no PKCE. */
  readonly codeVerifier?: string | undefined;
}

/** A token request in the name of an application. */
export interface TokenRequest {
  readonly app: ClientCredentials;
  readonly redirectUri: string;
  readonly fetch: ProviderFetch;
}

/** The provider said in its redirect that there will be no access; `isByUser` where the user did not want it. */
export class AuthorizationRefused extends Error {
  override readonly name = "AuthorizationRefused";
  readonly isByUser: boolean;

  constructor(isByUser: boolean, options: ErrorOptions) {
    super("the provider gave no access", options);
    this.isByUser = isByUser;
  }
}

/** Where a user is sent to grant access. */
export function authorizationUrl(description: OAuthDescription, request: AuthorizationRequest): string {
  const url = new URL(description.authorizationUrl);
  const challenge = request.codeVerifier && createHash("sha256").update(request.codeVerifier).digest("base64url");
  const parameters = {
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    ...(request.scopes.length > 0 ? { scope: request.scopes.join(description.scopeSeparator) } : {}),
    state: request.state,
    ...(challenge ? { code_challenge: challenge, code_challenge_method: "S256" } : {}),
    ...description.authorizationParameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Exchanges the code of a redirect for tokens, once it is proven to answer our request: its state, its issuer where it
 * names one (RFC 9207), and the verifier that only we know where the provider has PKCE.
 * @throws AuthorizationRefused where the redirect tells so; AccessEnded for a code that is not good; ApplicationRefused;
 * ProviderUnavailable.
 */
export async function exchangeCode(
  description: OAuthDescription,
  { app, redirectUri, fetch }: TokenRequest,
  redirect: URLSearchParams,
  expected: { readonly state: string; readonly codeVerifier?: string | undefined },
): Promise<TokenReply> {
  const [server, client] = [serverOf(description), { client_id: app.clientId }];
  return understood(async () => {
    const parameters = oauth.validateAuthResponse(server, client, redirect, expected.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticationOf(description, app),
      parameters,
      redirectUri,
      expected.codeVerifier ?? oauth.nopkce,
      { ...wayOut(description, fetch), additionalParameters: { ...description.tokenParameters } },
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
}

/** New tokens for a refresh token. @throws AccessEnded where it is not good any more; ApplicationRefused; ProviderUnavailable. */
export async function refreshTokens(
  description: OAuthDescription,
  { app, redirectUri, fetch }: TokenRequest,
  refreshToken: string,
): Promise<TokenReply> {
  const [server, client] = [serverOf(description), { client_id: app.clientId }];
  const redirect = description.refreshNamesRedirectUri ? { redirect_uri: redirectUri } : {};
  const additionalParameters = { ...description.tokenParameters, ...description.refreshParameters, ...redirect };
  return understood(async () => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authenticationOf(description, app),
      refreshToken,
      { ...wayOut(description, fetch), additionalParameters },
    );
    return oauth.processRefreshTokenResponse(server, client, response);
  });
}

/** Gives a token back as RFC 7009 says. @throws ProviderUnavailable. */
export async function revokeToken(
  description: OAuthDescription,
  { url, clientAuthentication = description.clientAuthentication }: Extract<Revocation, { kind: "standard" }>,
  { app, fetch }: Pick<TokenRequest, "app" | "fetch">,
  token: string,
): Promise<void> {
  const server = { ...serverOf(description), revocation_endpoint: url };
  const authentication = authenticationOf({ clientAuthentication }, app);
  await understood(async () => {
    const way = wayOut({}, fetch);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, { client_id: app.clientId }, authentication, token, way),
    );
  });
}

/** The scopes that are granted, as the reply or the redirect before it tells; what was asked for where neither does. */
export function grantedScopes(
  { tellsScopesInRedirect }: OAuthDescription,
  reply: TokenReply,
  redirect: URLSearchParams,
  asked: readonly string[],
): string[] {
  const told = reply.scope ?? (tellsScopesInRedirect ? redirect.get("scope") : null);
  if (typeof told !== "string" || told === "") return [...asked];
  return told.split(/[\s,]+/).filter((scope) => scope !== "");
}

function serverOf({ authorizationUrl, tokenUrl, issuer }: OAuthDescription): oauth.AuthorizationServer {
  return {
    issuer: issuer ?? new URL(authorizationUrl).origin,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
  };
}

const authenticationOf = (
  { clientAuthentication }: Pick<OAuthDescription, "clientAuthentication">,
  { clientSecret }: ClientCredentials,
): oauth.ClientAuth =>
  clientAuthentication === "body" ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);

/** Requests go our way out; replies that are wrapped come in the standard form. */
function wayOut({ unwrap }: Pick<OAuthDescription, "unwrap">, fetch: ProviderFetch) {
  const send = async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>) => {
    const response = await fetch(url, { method, headers: { ...headers }, body: String(body ?? "") });
    if (!unwrap || response.status === 429 || response.status >= 500) return response;
    const standard = unwrap(await response.json().catch(() => ({})));
    return Response.json(standard, { status: "error" in Object(standard) ? 400 : 200 });
  };
  return { [oauth.customFetch]: send };
}

/** Errors that mean that a code or refresh token is not good, whatever else a provider may say. */
const isOver = (error: string) => /^(invalid_grant|invalid_token|access_denied|unauthorized_client)$/.test(error);

async function understood<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof oauth.AuthorizationResponseError) {
      throw new AuthorizationRefused(cause.error === "access_denied", { cause });
    }
    if (cause instanceof oauth.ResponseBodyError && isOver(cause.error)) {
      throw new AccessEnded("the provider takes this grant no more", { cause });
    }
    if (cause instanceof oauth.ResponseBodyError || cause instanceof oauth.WWWAuthenticateChallengeError) {
      throw new ApplicationRefused({ cause });
    }
    if (cause instanceof oauth.OperationProcessingError || cause instanceof oauth.UnsupportedOperationError) {
      throw new ProviderUnavailable("the provider's answer is not what OAuth expects", { cause });
    }
    throw cause;
  }
}
