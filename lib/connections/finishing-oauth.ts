import type { Connector, TokenReply } from "../connectors/connector.ts";
import { AuthorizationRefused, exchangeCode, grantedScopes, type TokenRequest } from "../connectors/oauth.ts";
import { AccessEnded, ProviderError } from "../connectors/provider-error.ts";
import { sha256 } from "../crypto/api-key.ts";
import type { OAuthAttempt, oauthAttempt } from "../domain/linking/link-attempt.ts";
import { LinkFailed } from "../domain/linking/link-errors.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { browserSecret } from "../runtime/linking/browser-cookie.ts";
import type { Log } from "../runtime/log.ts";
import { livingParent } from "../runtime/parent-alive.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import type { TeamStore } from "../store/identity.ts";
import type { KeyStore } from "../store/keys.ts";
import type { OneTimeTokenStore } from "../store/linking/one-time-tokens.ts";
import type { ScopeRequirementStore } from "../store/scope-requirements.ts";
import { TeamScope } from "../store/team-scope.ts";
import { grantedClient } from "./granted-client.ts";
import { connectAccess, type GrantedAccess, type KeepingUses } from "./keeping-access.ts";
import { type AppUses, appNamed, speakingFor } from "./provider-app.ts";
import { providerFetch } from "./provider-fetch.ts";
import { giveBack } from "./revoking.ts";
import { askedScopes, noAttempt, requireConnector } from "./starting-oauth.ts";
import { subscribeUser } from "./subscribing.ts";

export interface FinishingUses extends KeepingUses, AppUses {
  readonly oauthAttempts: OneTimeTokenStore<typeof oauthAttempt>;
  readonly scopeRequirements: ScopeRequirementStore;
  readonly teams: TeamStore;
  readonly keys: KeyStore;
}

/** Outcome of an OAuth attempt, with the redirect URL of the team, if any. */
export interface Finished {
  readonly redirectUrl: string | null;
  readonly outcome: LinkFailed | "success";
}

/** The redirect from a provider: its query and the cookies of the browser. */
export interface Return {
  readonly redirect: URLSearchParams;
  readonly cookies: readonly string[];
}

/**
 * Finishes the OAuth attempt of a redirect. Consumes the state first, so that a redirect counts once, whatever its
 * outcome. The stored attempt, not the redirect, determines the provider and the next URL of the user.
 * @throws LinkRefused for a state without an open attempt at this provider in this browser.
 */
export async function finishOAuth(uses: FinishingUses, provider: string, back: Return, log: Log) {
  const connector = await requireConnector(provider);
  const { redirect } = back;
  const attempt = await attemptOf(uses, provider, back);
  try {
    const made = await finishAttempt(uses, connector, attempt, redirect);
    await subscribeUser(connector, made, log);
    return { redirectUrl: attempt.redirect_url, outcome: "success" } satisfies Finished;
  } catch (error) {
    const failed = failureOf(error);
    if (!failed) throw error;
    log.info("a link attempt failed", { provider, error_type: failed.type, reason: String(failed.cause) });
    return { redirectUrl: attempt.redirect_url, outcome: failed } satisfies Finished;
  }
}

/** Consumes the attempt of a state. An attempt of another browser or provider stays open: only its own can end it. */
async function attemptOf(uses: FinishingUses, provider: string, { redirect, cookies }: Return): Promise<OAuthAttempt> {
  const [state = "", ...more] = redirect.getAll("state");
  const secret = browserSecret(cookies, state);
  if (secret === undefined || more.length > 0) throw noAttempt();
  const fields = { provider, browser: sha256(secret) };
  const attempt = await uses.oauthAttempts.take(sha256(state), isoNow(), fields);
  if (!attempt) throw noAttempt();
  return attempt;
}

async function finishAttempt(
  uses: FinishingUses,
  connector: Connector,
  attempt: OAuthAttempt,
  redirect: URLSearchParams,
) {
  const caller = await callerOf(uses, attempt);
  const known = await appNamed(uses, caller.scope, connector.slug, attempt.client_id);
  if (!known) throw new LinkFailed("provider_api_error", "The application at the provider is no longer configured.");
  const expected = { state: redirect.get("state") ?? "", codeVerifier: attempt.code_verifier };
  const { request, reply } = await speakingFor(uses, known, connector.slug, async (app) => {
    const request = { app, redirectUri: attempt.redirect_uri, fetch: providerFetch };
    return { request, reply: await exchangeCode(connector.oauth, request, redirect, expected) };
  });
  try {
    const { accountId, access } = await grantedOf(uses, caller, connector, request, reply, redirect);
    await connectAccess(uses, caller, accountId, access);
    return { app: request.app, teamId: attempt.team_id, accessToken: reply.access_token };
  } catch (error) {
    await giveBack(connector, request, reply.access_token);
    throw error;
  }
}

/** Loads the caller of an attempt's link token. @throws LinkFailed for an invalid, used or expired token. */
async function callerOf(uses: FinishingUses, attempt: OAuthAttempt): Promise<LinkCaller> {
  const token = await uses.linkTokens.get(attempt.link_token);
  const team = token && (await livingParent(token, uses));
  if (!token || !team) throw new LinkFailed("invalid_token", "The link is no longer valid.");
  if (token.used_at !== undefined)
    throw new LinkFailed("token_consumed", "The link was already used for a connection.");
  if (token.ends_at <= isoNow()) throw new LinkFailed("token_expired", "The link has expired.");
  return { scope: TeamScope.grant(attempt.team_id), team, token, tokenHash: attempt.link_token };
}

/** Reads the grant of a token response. @throws LinkFailed if a required scope is missing. */
async function grantedOf(
  uses: FinishingUses,
  caller: LinkCaller,
  connector: Connector,
  { app, fetch }: TokenRequest,
  reply: TokenReply,
  redirect: URLSearchParams,
): Promise<{ accountId: string; access: GrantedAccess }> {
  const { slug, oauth } = connector;
  const asked = await askedScopes(uses, caller, connector);
  const scopes = grantedScopes(oauth, reply, redirect, asked);
  const required = (await uses.scopeRequirements.get(caller.scope)).providers[slug]?.user_must_grant ?? [];
  if ([...oauth.identityScopes, ...required].some((scope) => !scopes.includes(scope))) {
    throw new LinkFailed("required_scopes_not_granted", "The user did not grant access to all required data.");
  }
  const access = { connector, clientId: app.clientId, scopes, ...tokensOf(reply, ports().clock.now()) };
  return { accountId: await oauth.accountOf(reply, grantedClient(connector, fetch, reply.access_token)), access };
}

/** Tokens and expiry of a token response. @param before current refresh token, for a response without a new one. */
export function tokensOf(reply: TokenReply, nowMs: number, before: string | null = null) {
  const { access_token, refresh_token, expires_in } = reply;
  const ends = typeof expires_in === "number" ? new Date(nowMs + expires_in * 1000).toISOString() : null;
  const tokens = { access_token, refresh_token: typeof refresh_token === "string" ? refresh_token : before };
  return { tokens, accessEndsAt: ends };
}

function failureOf(cause: unknown): LinkFailed | undefined {
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
