import type { Connector } from "../../../connectors/connector.ts";
import { findConnector } from "../../../connectors/connectors.ts";
import { buildAuthorizationUrl } from "../../../connectors/oauth.ts";
import { getItem, getSecretValue, putItem } from "../../../contract/access.ts";
import { oauthTickets, providerApps, scopeRequirements } from "../../../contract/resources.ts";
import { sha256 } from "../../../crypto/api-key.ts";
import { generateToken } from "../../../crypto/opaque-token.ts";
import type { ConsentNotice } from "../../../domain/connections/consents/consent-notice.ts";
import { LINK_ATTEMPT_TTL_MS } from "../../../domain/connections/link/link-attempt.ts";
import { findProvider } from "../../../domain/connections/providers/providers.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { LinkRefused, NotPossible } from "../../../runtime/errors.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { explainConditionFailed } from "../../../store/condition-failed.ts";
import { oauthStartUrl } from "../link/link-web-url.ts";
import { findProviderApp, type ProviderAppDependencies, teamAppAccess } from "../providers/provider-app.ts";
import { providerAddress } from "../providers/provider-fetch.ts";
import { browserCookie } from "./browser-cookie.ts";

export type StartOAuthDependencies = ProviderAppDependencies & Dependencies<"oauthTickets" | "scopeRequirements">;

/** Grants of {@link createOAuthTicket}. */
export const createOAuthTicketAccess = [
  ...teamAppAccess,
  getItem(scopeRequirements),
  getSecretValue(providerApps),
  putItem(oauthTickets),
] as const;

/** Requires the OAuth connector of a provider. @throws LinkRefused for another kind of provider; NotPossible. */
export async function requireOAuthConnector(provider: string): Promise<Connector> {
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
export async function createOAuthTicket(
  deps: StartOAuthDependencies,
  caller: LinkCaller,
  connector: Connector,
  notice: ConsentNotice | null,
): Promise<string> {
  const { scope, token, tokenHash } = caller;
  const app = await findProviderApp(deps, scope, connector.slug);
  if (!app) throw new NotPossible("No application at this provider is configured.");
  const ticket = generateToken("ot", ports().ids.bytes);
  await deps.oauthTickets.create(ticket.sha256, {
    team_id: scope.teamId,
    user_id: token.user_id,
    ends_at: new Date(ports().clock.now() + LINK_ATTEMPT_TTL_MS).toISOString(),
    provider: connector.slug,
    link_token: tokenHash,
    redirect_url: token.redirect_url,
    redirect_uri: app.redirectUri,
    client_id: app.clientId,
    scopes: [...(await requestedScopes(deps, caller, connector))],
    ...(notice ? { notice } : {}),
  });
  return oauthStartUrl(connector.slug, ticket.token);
}

export type OpenOAuthDependencies = Dependencies<"oauthTickets" | "oauthAttempts" | "commit">;

/**
 * Starts an OAuth attempt in the first browser that opens a ticket, and consumes the ticket. Both are one write: if it
 * fails, the person opens the same address again.
 * @returns the authorization URL, and the cookie that the redirect must present.
 * @throws LinkRefused for a ticket that is expired, used or for another provider.
 */
export async function startOAuth(deps: OpenOAuthDependencies, provider: string, ticketToken: string) {
  const { slug, oauth } = await requireOAuthConnector(provider);
  const hash = sha256(ticketToken);
  const ticket = await deps.oauthTickets.get(hash);
  if (ticket?.provider !== slug) throw noAttemptError();
  const { bytes } = ports().ids;
  const [state, secret] = [generateToken("os", bytes), bytes(32).toString("base64url")];
  const codeVerifier = oauth.pkce ? bytes(32).toString("base64url") : undefined;
  const { used_at: _, ...beginning } = ticket;
  const attempt = deps.oauthAttempts.createItem(state.sha256, {
    ...beginning,
    browser: sha256(secret),
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
  });
  await explainConditionFailed(deps.commit([deps.oauthTickets.consumeItem(hash, isoNow()), attempt]), noAttemptError);
  const { client_id: clientId, redirect_uri: redirectUri, scopes } = ticket;
  const request = { clientId, redirectUri, scopes, state: state.token, codeVerifier };
  return {
    location: providerAddress(buildAuthorizationUrl(oauth, request)),
    cookie: browserCookie(state.token, secret),
  };
}

/** The error for a ticket or state that is invalid, or invalid in this browser. */
export const noAttemptError = () =>
  new LinkRefused("token_not_validated", "This browser has no matching attempt to connect in progress.");

/** The scopes to request: those of the team's requirements, or else all that the connector uses. */
export async function requestedScopes(
  { scopeRequirements }: Pick<StartOAuthDependencies, "scopeRequirements">,
  { scope }: Pick<LinkCaller, "scope">,
  { slug, oauth }: Connector,
): Promise<readonly string[]> {
  const wanted = (await scopeRequirements.get(scope)).providers[slug];
  if (!wanted) return oauth.scopes;
  return [...new Set([...oauth.identityScopes, ...wanted.user_must_grant, ...wanted.user_may_grant])];
}
