import type { Connector, TokenResponse } from "../../../connectors/connector.ts";
import { AuthorizationRefused, exchangeCode, readGrantedScopes, type TokenRequest } from "../../../connectors/oauth.ts";
import { AccessEnded, ProviderError } from "../../../connectors/provider-error.ts";
import {
  generateDataKey,
  getItem,
  getSecretValue,
  grants,
  putItem,
  sendMessage,
  updateItem,
} from "../../../contract/access.ts";
import { credentialParentAccess } from "../../../contract/endpoint.ts";
import { historyPulls } from "../../../contract/queues.ts";
import {
  connectionCredentials,
  connectionPolls,
  credentialsKey,
  historicalPulls,
  linkTokens,
  oauthAttempts,
  outbox,
  providerAccounts,
  providerApps,
  pullPreferences,
  scopeRequirements,
  users,
} from "../../../contract/resources.ts";
import { sha256 } from "../../../crypto/api-key.ts";
import type { OAuthAttempt } from "../../../domain/connections/link/link-attempt.ts";
import { LinkFailed } from "../../../domain/connections/link/link-errors.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import { findTeamOfValidCredential } from "../../../runtime/callers/credential-validity.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { TeamScope } from "../../../store/team-scope.ts";
import { type ConnectWithAccessDependencies, connectWithAccess, type GrantedAccess } from "../connect-with-access.ts";
import { giveConsentAccess } from "../consents/give-consent.ts";
import { createGrantedClient } from "../providers/granted-client.ts";
import {
  findAppByClientId,
  type ProviderAppDependencies,
  retryWithChangedSecret,
  teamAppAccess,
} from "../providers/provider-app.ts";
import { providerFetch } from "../providers/provider-fetch.ts";
import { subscribeUser } from "../pushes/subscribe-user.ts";
import { browserSecret } from "./browser-cookie.ts";
import { giveBackGrant, giveBackGrantAccess } from "./give-back-grant.ts";
import { noAttemptError, requestedScopes, requireOAuthConnector } from "./start-oauth.ts";

export type FinishOauthDependencies = ConnectWithAccessDependencies &
  ProviderAppDependencies &
  Dependencies<"oauthAttempts" | "scopeRequirements" | "teams" | "keys">;

/** Grants of {@link finishOAuth}. */
export const finishOAuthAccess = grants(
  credentialParentAccess,
  [updateItem(users), getItem(linkTokens), updateItem(linkTokens), updateItem(oauthAttempts)],
  teamAppAccess,
  [getSecretValue(providerApps), getItem(scopeRequirements)],
  [putItem(connectionCredentials), updateItem(providerAccounts)],
  [getItem(pullPreferences), putItem(historicalPulls), putItem(connectionPolls), sendMessage(historyPulls)],
  [putItem(outbox), generateDataKey(credentialsKey, "connection")],
  giveConsentAccess,
  giveBackGrantAccess,
);

/** Outcome of an OAuth attempt, with the redirect URL of the team, if any. */
export interface OAuthOutcome {
  readonly redirectUrl: string | null;
  readonly outcome: LinkFailed | "success";
}

/** The redirect from a provider: its query and the cookies of the browser. */
export interface OAuthReturn {
  readonly redirect: URLSearchParams;
  readonly cookies: readonly string[];
}

/**
 * Finishes the OAuth attempt of a redirect. Consumes the state first, so that a redirect counts once, whatever its
 * outcome. The stored attempt, not the redirect, determines the provider and the next URL of the user.
 * @throws LinkRefused for a state without an open attempt at this provider in this browser.
 */
export async function finishOAuth(deps: FinishOauthDependencies, provider: string, back: OAuthReturn, log: Log) {
  const connector = await requireOAuthConnector(provider);
  const { redirect } = back;
  const attempt = await takeAttempt(deps, provider, back);
  try {
    const made = await finishAttempt(deps, connector, attempt, redirect);
    await subscribeUser(connector, made, log);
    return { redirectUrl: attempt.redirect_url, outcome: "success" } satisfies OAuthOutcome;
  } catch (error) {
    const failed = toLinkFailed(error);
    if (!failed) throw error;
    log.info("a link attempt failed", { provider, error_type: failed.type, reason: String(failed.cause) });
    return { redirectUrl: attempt.redirect_url, outcome: failed } satisfies OAuthOutcome;
  }
}

/** Consumes the attempt of a state. An attempt of another browser or provider stays open: only its own can end it. */
async function takeAttempt(
  deps: FinishOauthDependencies,
  provider: string,
  { redirect, cookies }: OAuthReturn,
): Promise<OAuthAttempt> {
  const [state = "", ...more] = redirect.getAll("state");
  const secret = browserSecret(cookies, state);
  if (secret === undefined || more.length > 0) throw noAttemptError();
  const fields = { provider, browser: sha256(secret) };
  const attempt = await deps.oauthAttempts.consume(sha256(state), isoNow(), fields);
  if (!attempt) throw noAttemptError();
  return attempt;
}

async function finishAttempt(
  deps: FinishOauthDependencies,
  connector: Connector,
  attempt: OAuthAttempt,
  redirect: URLSearchParams,
) {
  const caller = await loadLinkCaller(deps, attempt);
  const known = await findAppByClientId(deps, caller.scope, connector.slug, attempt.client_id);
  if (!known) throw new LinkFailed("provider_api_error", "The application at the provider is no longer configured.");
  const expected = { state: redirect.get("state") ?? "", codeVerifier: attempt.code_verifier };
  const { request, reply } = await retryWithChangedSecret(deps, known, connector.slug, async (app) => {
    const request = { app, redirectUri: attempt.redirect_uri, fetch: providerFetch };
    return { request, reply: await exchangeCode(connector.oauth, request, redirect, expected) };
  });
  const client = createGrantedClient(connector, request, reply.access_token);
  let accountId: string | undefined;
  try {
    const access = await readGrant(deps, caller, connector, request, reply, redirect);
    accountId = await connector.oauth.fetchAccountId(reply, client);
    const shown = { notice: attempt.notice ?? null, requested: attempt.scopes };
    await connectWithAccess(deps, caller, accountId, access, shown);
    return { app: request.app, teamId: attempt.team_id, client };
  } catch (error) {
    await giveBackGrant(deps, caller, { connector, request, reply, client, accountId });
    throw error;
  }
}

/** Loads the caller of an attempt's link token. @throws LinkFailed for an invalid, used or expired token. */
async function loadLinkCaller(deps: FinishOauthDependencies, attempt: OAuthAttempt): Promise<LinkCaller> {
  const token = await deps.linkTokens.get(attempt.link_token);
  const team = token && (await findTeamOfValidCredential(token, deps));
  if (!token || !team) throw new LinkFailed("invalid_token", "The link is no longer valid.");
  if (token.used_at !== undefined)
    throw new LinkFailed("token_consumed", "The link was already used for a connection.");
  if (token.ends_at <= isoNow()) throw new LinkFailed("token_expired", "The link has expired.");
  return { scope: TeamScope.grant(attempt.team_id), team, token, tokenHash: attempt.link_token };
}

/** Reads the grant of a token response. @throws LinkFailed if a required scope is missing. */
async function readGrant(
  deps: FinishOauthDependencies,
  caller: LinkCaller,
  connector: Connector,
  { app }: TokenRequest,
  reply: TokenResponse,
  redirect: URLSearchParams,
): Promise<GrantedAccess> {
  const { slug, oauth } = connector;
  const asked = await requestedScopes(deps, caller, connector);
  const scopes = readGrantedScopes(oauth, reply, redirect, asked);
  const required = (await deps.scopeRequirements.get(caller.scope)).providers[slug]?.user_must_grant ?? [];
  if ([...oauth.identityScopes, ...required].some((scope) => !scopes.includes(scope))) {
    throw new LinkFailed("required_scopes_not_granted", "The user did not grant access to all required data.");
  }
  return { connector, clientId: app.clientId, scopes, ...toGrantedTokens(reply, ports().clock.now()) };
}

/** Tokens and expiry of a token response. @param before current refresh token, for a response without a new one. */
export function toGrantedTokens(reply: TokenResponse, nowMs: number, before: string | null = null) {
  const { access_token, refresh_token, expires_in } = reply;
  const ends = typeof expires_in === "number" ? new Date(nowMs + expires_in * 1000).toISOString() : null;
  const tokens = { access_token, refresh_token: typeof refresh_token === "string" ? refresh_token : before };
  return { tokens, accessEndsAt: ends };
}

function toLinkFailed(cause: unknown): LinkFailed | undefined {
  if (cause instanceof LinkFailed) return cause;
  if (cause instanceof AuthorizationRefused) {
    return cause.isByUser
      ? new LinkFailed("user_cancelled", "The user did not grant access.", { cause })
      : new LinkFailed("provider_api_error", "The provider refused access.", { cause });
  }
  if (cause instanceof AccessEnded) {
    return new LinkFailed("provider_credential_error", "The provider did not accept the authorization.", { cause });
  }
  if (cause instanceof ProviderError) {
    return new LinkFailed("provider_api_error", "The provider returned an unexpected response.", { cause });
  }
  return undefined;
}
