import { findConnector } from "../../../connectors/connectors.ts";
import { AccessEnded, ProviderError, ProviderRefused } from "../../../connectors/provider-error.ts";
import { getSecretValue, grants, queryItems } from "../../../contract/access.ts";
import { connectionCredentials, providerApps } from "../../../contract/resources.ts";
import type { ConnectionCredentials } from "../../../domain/connections/connection-credentials.ts";
import type { ConsentOutcome } from "../../../domain/erasure/erasure-certificate.ts";
import type { Log } from "../../../runtime/log.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { findCredentialsApp } from "../providers/provider-app.ts";
import { selectProviderFetch } from "../providers/provider-fetch.ts";
import { type AccountUseDependencies, accountUseAccess, isAccountInUse } from "./account-use.ts";
import { getAccessToken, providerClientAccess, type RefreshAccessDependencies } from "./refresh-access.ts";
import { revokeAccess } from "./revoke-access.ts";

/** Grants of {@link endConsents}. */
export const endConsentsAccess = grants(
  queryItems(connectionCredentials),
  getSecretValue(providerApps),
  providerClientAccess,
  accountUseAccess,
);

export type EndConsentsDependencies = RefreshAccessDependencies & AccountUseDependencies;

/**
 * Revokes all access that a user has granted, and records each outcome, so that a repeated run asks no provider twice.
 * Access that another connection to the same account uses has ended for this user only.
 * @returns the number of providers that could not be reached.
 */
export async function endConsents(
  deps: EndConsentsDependencies,
  scope: TeamScope,
  userId: string,
  log: Log,
): Promise<number> {
  let unreached = 0;
  for (const credentials of await deps.connectionCredentials.list(scope, userId)) {
    if (credentials.given_back !== undefined && credentials.given_back !== "failed") continue;
    const outcome = await endConsent(deps, scope, credentials, log);
    await deps.connectionCredentials.recordRevocation(scope, credentials, outcome);
    if (outcome === "failed") unreached++;
  }
  return unreached;
}

/** Revokes access at a provider, with a refreshed access token if needed. */
async function endConsent(
  deps: EndConsentsDependencies,
  scope: TeamScope,
  credentials: ConnectionCredentials,
  log: Log,
): Promise<ConsentOutcome> {
  const { user_id: userId, provider, account_id, client_id: clientId, demo } = credentials;
  const connector = await findConnector(provider);
  if (!connector?.oauth.revocation) return "not_offered";
  try {
    const app = await findCredentialsApp(deps, scope, credentials);
    // Only the application with the grant can revoke it, and that application no longer exists.
    if (!app) return "refused";
    const account = account_id === undefined ? undefined : { provider, accountId: account_id, clientId };
    if (account && (await isAccountInUse(deps, scope, account))) return "ended_before";
    if (credentials.paused_at !== undefined) await deps.connectionCredentials.resume(scope, credentials);
    const token = await getAccessToken(deps, { scope, userId, connector, demo });
    await revokeAccess(connector, { app, fetch: selectProviderFetch(deps, credentials) }, token, account_id);
    return "given_back";
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      // An unexpected error must not keep the remaining providers from being asked.
      log.error("access could not be revoked", error);
      return "failed";
    }
    log.warn("access was not revoked", { reason: error.name });
    if (error instanceof AccessEnded) return "ended_before";
    return error instanceof ProviderRefused ? "refused" : "failed";
  }
}
