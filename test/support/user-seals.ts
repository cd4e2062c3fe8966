import { userKeyTable } from "../../lib/contract/resources.ts";
import { UserKey } from "../../lib/crypto/user-key.ts";
import { tableOf } from "../../lib/runtime/aws.ts";
import { type UserKeyRing, userKeyRing } from "../../lib/runtime/user-keys.ts";
import type { TeamScope } from "../../lib/store/team-scope.ts";
import { UserKeyStore } from "../../lib/store/user-keys.ts";
import type { UserSeals } from "../../lib/store/user-seals.ts";

/** Creates ciphers with keys in the memory of the test. Every requested user has a key. */
export function seals(): UserSeals {
  const keys = new Map<string, UserKey>();
  return {
    async of({ teamId }, userId) {
      const name = `${teamId}/${userId}`;
      const key = keys.get(name) ?? UserKey.draw({ team_id: teamId, user_id: userId });
      keys.set(name, key);
      return key;
    },
  };
}

/** Makes the handlers of this process use these ciphers instead of stored keys. */
export function holdSeals(held: UserSeals): void {
  const members: Pick<UserKeyRing, "of" | "ensure"> = { of: held.of, ensure: async () => {} };
  Object.assign(userKeyRing(), members);
}

/**
 * Makes the handlers of this process create user keys that no team key wraps, so that creating a user needs neither KMS
 * nor a read.
 */
export function holdTeamKeys(): void {
  const createItem = async (scope: TeamScope, userId: string) =>
    new UserKeyStore(tableOf(userKeyTable)).createItem(scope, userId, Buffer.alloc(61, 1));
  const members: Pick<UserKeyRing, "createItem"> = { createItem };
  Object.assign(userKeyRing(), members);
}
