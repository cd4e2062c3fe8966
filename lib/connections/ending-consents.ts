import { findConnector } from "../connectors/connectors.ts";
import { AccessEnded, ProviderError, ProviderRefused } from "../connectors/provider-error.ts";
import type { ConsentOutcome } from "../domain/erasure.ts";
import type { ConnectionCredentials } from "../domain/linking/connection-credentials.ts";
import type { Log } from "../runtime/log.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { appOf } from "./provider-app.ts";
import { wayTo } from "./provider-fetch.ts";
import { accessTokenOf, type RefreshingUses } from "./refreshing.ts";
import { revokeAccess } from "./revoking.ts";

/**
 * Revokes all access that a user has granted, and records each outcome, so that a repeated run asks no provider twice.
 * @returns the number of providers that could not be reached.
 */
export async function endConsents(uses: RefreshingUses, scope: TeamScope, userId: string, log: Log): Promise<number> {
  let unreached = 0;
  for (const credentials of await uses.connectionCredentials.list(scope, userId)) {
    if (credentials.given_back !== undefined && credentials.given_back !== "failed") continue;
    const outcome = await endConsent(uses, scope, credentials, log);
    await uses.connectionCredentials.noteGivenBack(scope, credentials, outcome);
    if (outcome === "failed") unreached++;
  }
  return unreached;
}

/** Revokes access at a provider, with a refreshed access token if needed. */
async function endConsent(
  uses: RefreshingUses,
  scope: TeamScope,
  credentials: ConnectionCredentials,
  log: Log,
): Promise<ConsentOutcome> {
  const { user_id: userId, provider, account_id, demo } = credentials;
  const connector = await findConnector(provider);
  if (!connector?.oauth.revocation) return "not_offered";
  try {
    const app = await appOf(uses, scope, credentials);
    // Only the application with the grant can revoke it, and that application no longer exists.
    if (!app) return "refused";
    if (credentials.paused_at !== undefined) await uses.connectionCredentials.endPause(scope, credentials);
    const token = await accessTokenOf(uses, { scope, userId, connector, demo });
    await revokeAccess(connector, { app, fetch: wayTo(uses, credentials) }, token, account_id);
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
