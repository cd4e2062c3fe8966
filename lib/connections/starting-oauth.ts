import type { Connector } from "../connectors/connector.ts";
import { findConnector } from "../connectors/connectors.ts";
import { authorizationUrl } from "../connectors/oauth.ts";
import { sha256 } from "../crypto/api-key.ts";
import { makeToken } from "../crypto/opaque-token.ts";
import { ATTEMPT_MS, type oauthAttempt, type oauthTicket } from "../domain/linking/link-attempt.ts";
import { findProvider } from "../domain/sources/providers.ts";
import { LinkRefused, NotPossible } from "../runtime/errors.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { browserCookie } from "../runtime/linking/browser-cookie.ts";
import { oauthStartUrl } from "../runtime/linking/link-web-url.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import type { OneTimeTokenStore } from "../store/linking/one-time-tokens.ts";
import type { ScopeRequirementStore } from "../store/scope-requirements.ts";
import { type AppUses, providerApp } from "./provider-app.ts";
import { providerAddress } from "./provider-fetch.ts";

export interface StartingUses extends AppUses {
  readonly oauthTickets: OneTimeTokenStore<typeof oauthTicket>;
  readonly scopeRequirements: ScopeRequirementStore;
}

/** Requires the OAuth connector of a provider. @throws LinkRefused for another kind of provider; NotPossible. */
export async function requireConnector(provider: string): Promise<Connector> {
  if (findProvider(provider)?.authType !== "oauth") {
    throw new LinkRefused("INVALID_PROVIDER", "This provider is not connected by OAuth.");
  }
  const connector = await findConnector(provider);
  if (!connector) throw new NotPossible("This provider cannot be connected yet.");
  return connector;
}

/**
 * Creates a one-time ticket, bound to the link token, with which a browser starts OAuth.
 * @returns the URL to open in the browser. @throws NotPossible if neither the team nor the deployment has an
 * application at the provider.
 */
export async function offerOAuth(uses: StartingUses, caller: LinkCaller, connector: Connector): Promise<string> {
  const { scope, token, tokenHash } = caller;
  const app = await providerApp(uses, scope, connector.slug);
  if (!app) throw new NotPossible("No application at this provider is configured.");
  const ticket = makeToken("ot", ports().ids.bytes);
  await uses.oauthTickets.create(ticket.sha256, {
    team_id: scope.teamId,
    user_id: token.user_id,
    ends_at: new Date(ports().clock.now() + ATTEMPT_MS).toISOString(),
    provider: connector.slug,
    link_token: tokenHash,
    redirect_url: token.redirect_url,
    redirect_uri: app.redirectUri,
    client_id: app.clientId,
    scopes: [...(await askedScopes(uses, caller, connector))],
  });
  return oauthStartUrl(connector.slug, ticket.token);
}

export interface BeginningUses {
  readonly oauthTickets: OneTimeTokenStore<typeof oauthTicket>;
  readonly oauthAttempts: OneTimeTokenStore<typeof oauthAttempt>;
}

/**
 * Starts an OAuth attempt in the first browser that opens a ticket, and consumes the ticket.
 * @returns the authorization URL, and the cookie that the redirect must present.
 * @throws LinkRefused for a ticket that is expired, used or for another provider.
 */
export async function beginOAuth(uses: BeginningUses, provider: string, ticketToken: string) {
  const { slug, oauth } = await requireConnector(provider);
  const ticket = await uses.oauthTickets.take(sha256(ticketToken), isoNow(), { provider: slug });
  if (!ticket) throw noAttempt();
  const { bytes } = ports().ids;
  const [state, secret] = [makeToken("os", bytes), bytes(32).toString("base64url")];
  const codeVerifier = oauth.pkce ? bytes(32).toString("base64url") : undefined;
  const { scopes, used_at: _, ...beginning } = ticket;
  await uses.oauthAttempts.create(state.sha256, {
    ...beginning,
    browser: sha256(secret),
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
  });
  const { client_id: clientId, redirect_uri: redirectUri } = ticket;
  const request = { clientId, redirectUri, scopes, state: state.token, codeVerifier };
  return { location: providerAddress(authorizationUrl(oauth, request)), cookie: browserCookie(state.token, secret) };
}

/** The error for a ticket or state that is invalid, or invalid in this browser. */
export const noAttempt = () =>
  new LinkRefused("token_not_validated", "This browser has no matching attempt to connect in progress.");

/** The scopes to request: those of the team's requirements, or else all that the connector uses. */
export async function askedScopes(
  { scopeRequirements }: Pick<StartingUses, "scopeRequirements">,
  { scope }: Pick<LinkCaller, "scope">,
  { slug, oauth }: Connector,
): Promise<readonly string[]> {
  const wanted = (await scopeRequirements.get(scope)).providers[slug];
  if (!wanted) return oauth.scopes;
  return [...new Set([...oauth.identityScopes, ...wanted.user_must_grant, ...wanted.user_may_grant])];
}
