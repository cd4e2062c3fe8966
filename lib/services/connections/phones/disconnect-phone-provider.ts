import { addPhoneEnd } from "../../../domain/connections/link/phone-ends.ts";
import { phoneProvider } from "../../../domain/connections/providers/phone-providers.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { NotFound, UserNotFound } from "../../../runtime/errors.ts";
import { isoNow } from "../../../runtime/ports.ts";
import { retryConditionFailed } from "../../../store/condition-failed.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { endPhoneItem } from "../../../store/users/connection-changes.ts";

/**
 * Disconnects a user from a provider on the phone. The write of the user that removes the connection also ends the
 * sessions, so no later call of a phone can bring the connection back. Retries on concurrent changes of the user.
 * @throws UserNotFound; NotFound without a connection.
 */
export async function disconnectPhoneProvider(
  {
    users,
    providerAccounts,
    connectionHealth,
    commit,
  }: Dependencies<"users" | "providerAccounts" | "connectionHealth" | "commit">,
  scope: TeamScope,
  userId: string,
  provider: string,
): Promise<void> {
  await retryConditionFailed(async () => {
    const user = await users.get(scope, userId);
    if (!user) throw new UserNotFound();
    if (user.connections[provider] === undefined) throw new NotFound("The user is not connected to this provider.");
    const ends = addPhoneEnd(user, provider, phoneProvider.options, isoNow());
    await commit([
      endPhoneItem(users, scope, user, provider, ends),
      connectionHealth.deleteItem(scope, { user_id: userId, provider }),
      ...providerAccounts.disconnectItems(scope, user, [provider]),
    ]);
  });
}
