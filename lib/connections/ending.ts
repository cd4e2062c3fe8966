import { findConnector } from "../connectors/connectors.ts";
import { connectionContext, grantedTokens } from "../domain/linking/connection-credentials.ts";
import type { UserRecord } from "../domain/user.ts";
import type { Log } from "../runtime/log.ts";
import type { ProviderAccountStore } from "../store/linking/provider-accounts.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { appOf } from "./provider-app.ts";
import { wayTo } from "./provider-fetch.ts";
import type { RefreshingUses } from "./refreshing.ts";
import { giveBack } from "./revoking.ts";

export interface EndingUses extends RefreshingUses {
  readonly users: UserStore;
  readonly providerAccounts: ProviderAccountStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Ends a connection: deletes it with its credentials, and revokes access at the provider.
 * @throws ConditionFailed for item 0 if the connection does not exist.
 */
export async function endConnection(uses: EndingUses, scope: TeamScope, user: UserRecord, provider: string, log: Log) {
  const { users, connectionCredentials, providerAccounts, commit } = uses;
  const credentials = await connectionCredentials.get(scope, user.user_id, provider);
  const accountId = user.connections[provider]?.external_user_id;
  await commit([
    users.disconnectItem(scope, user.user_id, provider),
    connectionCredentials.removeItem(scope, user.user_id, provider),
    ...providerAccounts.disconnectItems(scope, user, [provider]),
  ]);
  const connector = credentials && (await findConnector(provider));
  if (!connector) return;
  try {
    const app = await appOf(uses, scope, credentials);
    if (!app) return;
    const opened = await uses.credentials.open(credentials.sealed, connectionContext(credentials));
    const { access_token } = grantedTokens.parse(JSON.parse(opened));
    await giveBack(connector, { app, fetch: wayTo(uses, credentials) }, access_token, accountId);
  } catch (error) {
    // The connection has ended. The caller cannot repair a grant that is left at the provider.
    log.error("access could not be revoked", error);
  }
}
