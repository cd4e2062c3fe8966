import { findConnector } from "../../connectors/connectors.ts";
import { decryptDataKey, deleteItem, getItem, getSecretValue, grants, updateItem } from "../../contract/access.ts";
import {
  connectionCredentials,
  connectionHealth,
  credentialsKey,
  providerAccounts,
  providerApps,
  users,
} from "../../contract/resources.ts";
import { connectionEncryptionContext, grantedTokens } from "../../domain/connections/connection-credentials.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound, UserNotFound } from "../../runtime/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { isoNow } from "../../runtime/ports.ts";
import { retryConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type EndConsentDependencies, endConsentAccess, endConsentItems } from "./consents/end-consent.ts";
import { accountUseAccess, isAccountInUse } from "./oauth/account-use.ts";
import type { RefreshAccessDependencies } from "./oauth/refresh-access.ts";
import { tryRevokeAccess } from "./oauth/revoke-access.ts";
import { findCredentialsApp, teamAppAccess } from "./providers/provider-app.ts";
import { selectProviderFetch } from "./providers/provider-fetch.ts";

export type EndConnectionDependencies = RefreshAccessDependencies &
  EndConsentDependencies &
  Dependencies<"users" | "outbox" | "providerAccounts" | "connectionHealth" | "commit">;

/** Grants of {@link endConnection}. */
export const endConnectionAccess = grants(
  [updateItem(users), getItem(connectionCredentials), deleteItem(connectionCredentials), updateItem(providerAccounts)],
  deleteItem(connectionHealth),
  decryptDataKey(credentialsKey, "connection"),
  teamAppAccess,
  accountUseAccess,
  getSecretValue(providerApps),
  endConsentAccess,
);

/**
 * Ends a connection: deletes it with its credentials, ends its consent, and revokes access at the provider, unless
 * another connection uses it. Retries on concurrent changes of the connection.
 * @throws UserNotFound; NotFound without a connection.
 */
export async function endConnection(
  deps: EndConnectionDependencies,
  scope: TeamScope,
  userId: string,
  provider: string,
  log: Log,
) {
  const { credentials, accountId } = await retryConditionFailed(() => commitEnd(deps, scope, userId, provider));
  const connector = credentials && (await findConnector(provider));
  if (!connector) return;
  try {
    const app = await findCredentialsApp(deps, scope, credentials);
    if (!app) return;
    const { client_id: clientId } = credentials;
    if (accountId !== undefined && (await isAccountInUse(deps, scope, { provider, accountId, clientId }))) return;
    const opened = await deps.credentials.decrypt(credentials.sealed, connectionEncryptionContext(credentials));
    const { access_token } = grantedTokens.parse(JSON.parse(opened));
    await tryRevokeAccess(connector, { app, fetch: selectProviderFetch(deps, credentials) }, access_token, accountId);
  } catch (error) {
    // The connection has ended. The caller cannot repair a grant that is left at the provider.
    log.error("access could not be revoked", error);
  }
}

/** Deletes a connection and ends its consent in one transaction. @throws ConditionFailed for a changed connection. */
async function commitEnd(deps: EndConnectionDependencies, scope: TeamScope, userId: string, provider: string) {
  const { users, connectionCredentials, connectionHealth, providerAccounts, commit } = deps;
  const user = await users.get(scope, userId);
  if (!user) throw new UserNotFound();
  const connection = user.connections[provider];
  if (!connection) throw new NotFound("The user is not connected to this provider.");
  const credentials = await connectionCredentials.get(scope, userId, provider);
  const end = { state: "terminated", by: "team", at: isoNow() } as const;
  await commit([
    users.deleteConnectionItem(scope, userId, provider, connection.created_on),
    connectionCredentials.deleteItem(scope, userId, provider),
    connectionHealth.deleteItem(scope, { user_id: userId, provider }),
    ...providerAccounts.disconnectItems(scope, user, [provider]),
    ...(await endConsentItems(deps, scope, user, provider, end)),
  ]);
  return { credentials, accountId: connection.external_user_id };
}
