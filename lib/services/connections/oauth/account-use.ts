import { getItem, queryItems } from "../../../contract/access.ts";
import { providerAccounts, users } from "../../../contract/resources.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { ProviderAccount } from "../../../store/connections/provider-accounts.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

export type AccountUseDependencies = Dependencies<"providerAccounts" | "users">;

/** Grants of {@link isAccountInUse}. */
export const accountUseAccess = [queryItems(providerAccounts), getItem(users)] as const;

/**
 * Whether a connection that works uses an account by an OAuth client. Many providers keep one grant for account and
 * client, so its revocation would end that connection too (docs/decisions/0028). A caller that ends a connection
 * commits the end first: of two that end at once, the later one then finds the account unused.
 *
 * A connection of another team counts whatever its state, because the credentials of a team reach no users of others.
 */
export async function isAccountInUse(
  { providerAccounts, users }: AccountUseDependencies,
  scope: TeamScope,
  { provider, accountId, clientId }: Required<ProviderAccount>,
): Promise<boolean> {
  for (const { teamId, userIds, clientIds } of await providerAccounts.listConnectedUsers({ provider, accountId })) {
    for (const userId of userIds) {
      if ((clientIds.get(userId) ?? clientId) !== clientId) continue;
      if (teamId !== scope.teamId) return true;
      const connection = (await users.get(scope, userId))?.connections[provider];
      if (connection?.external_user_id === accountId && connection.status !== "error") return true;
    }
  }
  return false;
}
