import type { Connector } from "../connectors/connector.ts";
import { findConnector } from "../connectors/connectors.ts";
import { authorizationUrl } from "../connectors/oauth.ts";
import { makeToken } from "../crypto/opaque-token.ts";
import { ATTEMPT_MS, type oauthAttempt } from "../domain/linking/link-attempt.ts";
import { findProvider } from "../domain/sources/providers.ts";
import { LinkRefused, NotPossible } from "../runtime/errors.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { ports } from "../runtime/ports.ts";
import type { OneTimeTokenStore } from "../store/linking/one-time-tokens.ts";
import type { ScopeRequirementStore } from "../store/scope-requirements.ts";
import { type AppUses, providerApp } from "./provider-app.ts";
import { providerAddress } from "./provider-fetch.ts";

export interface StartingUses extends AppUses {
  readonly oauthAttempts: OneTimeTokenStore<typeof oauthAttempt>;
  readonly scopeRequirements: ScopeRequirementStore;
}

/** The connector of a provider. @throws LinkRefused for a provider of another kind; NotPossible where there is none. */
export async function requireConnector(provider: string): Promise<Connector> {
  if (findProvider(provider)?.authType !== "oauth") {
    throw new LinkRefused("INVALID_PROVIDER", "This provider is not connected by OAuth.");
  }
  const connector = await findConnector(provider);
  if (!connector) throw new NotPossible("This provider can not be connected yet.");
  return connector;
}

/**
 * Sends a user on the way: notes what is to come back, bound to the link token, and answers where the user has to go.
 * @throws NotPossible where neither the team nor the deployment has an application at the provider.
 */
export async function startOAuth(uses: StartingUses, caller: LinkCaller, connector: Connector): Promise<string> {
  const { slug, oauth } = connector;
  const { scope, token, tokenHash } = caller;
  const app = await providerApp(uses, scope, slug);
  if (!app) throw new NotPossible("No application at this provider is configured.");
  const { bytes } = ports().ids;
  const state = makeToken("os", bytes);
  const codeVerifier = oauth.pkce ? bytes(32).toString("base64url") : undefined;
  await uses.oauthAttempts.create(state.sha256, {
    team_id: scope.teamId,
    user_id: token.user_id,
    ends_at: new Date(ports().clock.now() + ATTEMPT_MS).toISOString(),
    provider: slug,
    link_token: tokenHash,
    redirect_url: token.redirect_url,
    redirect_uri: app.redirectUri,
    client_id: app.clientId,
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
  });
  const scopes = await askedScopes(uses, caller, connector);
  const request = { clientId: app.clientId, redirectUri: app.redirectUri, scopes, state: state.token, codeVerifier };
  return providerAddress(authorizationUrl(oauth, request));
}

/** What a user is asked for: all that the connector can use, unless the team has said what it wants. */
export async function askedScopes(
  { scopeRequirements }: Pick<StartingUses, "scopeRequirements">,
  { scope }: Pick<LinkCaller, "scope">,
  { slug, oauth }: Connector,
): Promise<readonly string[]> {
  const wanted = (await scopeRequirements.get(scope)).providers[slug];
  if (!wanted) return oauth.scopes;
  return [...new Set([...oauth.identityScopes, ...wanted.user_must_grant, ...wanted.user_may_grant])];
}
