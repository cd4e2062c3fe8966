import { userKeyTable } from "../../lib/contract/resources.ts";
import { UserKey } from "../../lib/crypto/user-key.ts";
import { openTable } from "../../lib/runtime/aws/aws.ts";
import { ownTables } from "../../lib/runtime/aws/table-access.ts";
import { type UserKeyRing, userKeyRing } from "../../lib/runtime/aws/user-key-ring.ts";
import type { TeamScope } from "../../lib/store/team-scope.ts";
import type { UserCiphers } from "../../lib/store/user-encryption.ts";
import { UserKeyStore } from "../../lib/store/users/user-keys.ts";

/** Creates ciphers with keys in the memory of the test. Every requested user has a key. */
export function createUserCiphers(): UserCiphers {
  const keys = new Map<string, UserKey>();
  return {
    async forUser({ teamId }, userId) {
      const name = `${teamId}/${userId}`;
      const key = keys.get(name) ?? UserKey.generate({ team_id: teamId, user_id: userId });
      keys.set(name, key);
      return key;
    },
  };
}

/** Makes the handlers of this process use these ciphers instead of stored keys. */
export function useUserCiphers(held: UserCiphers): void {
  const members: Pick<UserKeyRing, "forUser" | "ensureKey"> = { forUser: held.forUser, ensureKey: async () => {} };
  Object.assign(userKeyRing(ownTables()), members);
}

/**
 * Makes the handlers of this process create user keys that no team key wraps, so that creating a user needs neither KMS
 * nor a read.
 */
export function useUnwrappedUserKeys(): void {
  const createItem = async (scope: TeamScope, userId: string) =>
    new UserKeyStore(openTable(userKeyTable)).createItem(scope, userId, Buffer.alloc(61, 1));
  const members: Pick<UserKeyRing, "createItem"> = { createItem };
  Object.assign(userKeyRing(ownTables()), members);
}
