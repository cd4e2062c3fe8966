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
 * Ends a connection: its credentials are dropped with it, and access is given back to the provider.
 * @throws ConditionFailed, at place 0, where there is no such connection.
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
    // The connection ended already; what the provider still thinks is not the caller's to repair.
    log.error("access could not be given back", error);
  }
}
