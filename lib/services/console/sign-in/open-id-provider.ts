import * as oauth from "oauth4webapi";
import { type Claims, subject } from "../../../domain/console/person-claims.ts";
import { oncePerContainer } from "../../../runtime/container.ts";
import { guardedFetch } from "../../../runtime/guarded-fetch.ts";
import type { Log } from "../../../runtime/log.ts";
import { ports } from "../../../runtime/ports.ts";
import { TtlCache } from "../../../runtime/ttl-cache.ts";
import { configurationInvalid, explainProviderErrors, tokenInvalid } from "./sign-in-errors.ts";

/** Bounds of each request. A sign-in has three at most, which together stay below the time of a function. */
const bounds = { timeoutMs: 5_000, maxBytes: 256 * 1_024 };
/** Discovery documents of a container, and for how long each is used. */
const discovered = oncePerContainer(() => new TtlCache<oauth.AuthorizationServer>(100, 300_000));

/** The client of a team at its provider, and the redirect URI that is registered there. */
export interface OpenIdClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** What the service keeps of a sign-in until the provider sends the browser back. */
interface Expectation {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const requestOptions = {
  // The egress rules decide which schemes and hosts a request may reach: HTTPS, or a local peer of a local start.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (
    address: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
  ) => {
    const url = new URL(address);
    const request = { method, headers: { ...headers }, body: String(body ?? "") };
    const send = () => guardedFetch(url, request, bounds);
    const response = await ports().outbound(send, `${method} ${url.origin}${url.pathname}`);
    if (response.status >= 500) throw new Error("the provider failed");
    return response;
  },
};

/** Reads the discovery document of a provider through a cache. @throws NotPossible */
const discover = (issuer: string, log: Log): Promise<oauth.AuthorizationServer> =>
  discovered().get(issuer, () =>
    explainProviderErrors(
      async () => {
        const url = new URL(issuer);
        return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, requestOptions));
      },
      log,
      configurationInvalid,
    ),
  );

/**
 * Builds the address of the provider at which the person signs in.
 * @throws NotPossible if the provider does not answer, or its configuration is not valid.
 */
export async function buildSignInUrl(
  { issuer, clientId, redirectUri }: OpenIdClient,
  scopes: readonly string[],
  { state, nonce, codeVerifier }: Expectation,
  log: Log,
): Promise<string> {
  const server = await discover(issuer, log);
  const url = parseBrowserAddress(server.authorization_endpoint, issuer);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: [...new Set(["openid", ...scopes])].join(" "),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** A browser goes to HTTPS or to the origin of the issuer, never to an address that would run as a script. */
function parseBrowserAddress(address: string | undefined, issuer: string): URL {
  const url = URL.parse(address ?? "");
  if (url && (url.protocol === "https:" || url.origin === new URL(issuer).origin)) return url;
  throw configurationInvalid();
}

/**
 * Redeems the code of an authorization response. Verifies state and issuer of the response, and of the ID token: issuer,
 * audience, expiry, nonce, and the signature by a key of the provider (OpenID Connect Core 1.0, section 3.1.3.7).
 * @returns the claims. The tokens are forgotten.
 * @throws Forbidden if the provider refused; Unauthorized for an invalid response, code or token; NotPossible if the
 * provider does not answer, or does not accept the client.
 */
export function redeemCode(
  { issuer, clientId, redirectUri }: OpenIdClient,
  clientSecret: string,
  response: URLSearchParams,
  { state, nonce, codeVerifier }: Expectation,
  log: Log,
): Promise<Claims & { readonly sub: string }> {
  const client = { client_id: clientId };
  return explainProviderErrors(async () => {
    const server = await discover(issuer, log);
    const parameters = oauth.validateAuthResponse(server, client, response, state);
    const authentication = authenticationOf(server)(clientSecret);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      codeVerifier,
      requestOptions,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, answer, requestOptions);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims || !subject.safeParse(claims.sub).success) throw tokenInvalid();
    return claims;
  }, log);
}

/** Basic is the default (RFC 8414, section 2). */
const authenticationOf = ({ token_endpoint_auth_methods_supported: known }: oauth.AuthorizationServer) =>
  known && !known.includes("client_secret_basic") ? oauth.ClientSecretPost : oauth.ClientSecretBasic;
