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
import type { UserRecord } from "../../domain/users/user.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { RefreshAccessDependencies } from "./oauth/refresh-access.ts";
import { tryRevokeAccess } from "./oauth/revoke-access.ts";
import { findCredentialsApp, teamAppAccess } from "./providers/provider-app.ts";
import { selectProviderFetch } from "./providers/provider-fetch.ts";

export type EndConnectionDependencies = RefreshAccessDependencies &
  Dependencies<"users" | "providerAccounts" | "connectionHealth" | "commit">;

/** Grants of {@link endConnection}. */
export const endConnectionAccess = grants(
  [updateItem(users), getItem(connectionCredentials), deleteItem(connectionCredentials), updateItem(providerAccounts)],
  deleteItem(connectionHealth),
  decryptDataKey(credentialsKey, "connection"),
  teamAppAccess,
  getSecretValue(providerApps),
);

/**
 * Ends a connection: deletes it with its credentials, and revokes access at the provider.
 * @throws ConditionFailed for item 0 if the connection does not exist.
 */
export async function endConnection(
  deps: EndConnectionDependencies,
  scope: TeamScope,
  user: UserRecord,
  provider: string,
  log: Log,
) {
  const { users, connectionCredentials, connectionHealth, providerAccounts, commit } = deps;
  const credentials = await connectionCredentials.get(scope, user.user_id, provider);
  const accountId = user.connections[provider]?.external_user_id;
  await commit([
    users.deleteConnectionItem(scope, user.user_id, provider),
    connectionCredentials.deleteItem(scope, user.user_id, provider),
    connectionHealth.deleteItem(scope, { user_id: user.user_id, provider }),
    ...providerAccounts.disconnectItems(scope, user, [provider]),
  ]);
  const connector = credentials && (await findConnector(provider));
  if (!connector) return;
  try {
    const app = await findCredentialsApp(deps, scope, credentials);
    if (!app) return;
    const opened = await deps.credentials.decrypt(credentials.sealed, connectionEncryptionContext(credentials));
    const { access_token } = grantedTokens.parse(JSON.parse(opened));
    await tryRevokeAccess(connector, { app, fetch: selectProviderFetch(deps, credentials) }, access_token, accountId);
  } catch (error) {
    // The connection has ended. The caller cannot repair a grant that is left at the provider.
    log.error("access could not be revoked", error);
  }
}
