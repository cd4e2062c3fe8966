import { userKeyTable } from "../../lib/contract/resources.ts";
import { UserKey } from "../../lib/crypto/user-key.ts";
import { tableOf } from "../../lib/runtime/aws.ts";
import { userKeyRing } from "../../lib/runtime/user-keys.ts";
import type { TeamScope } from "../../lib/store/team-scope.ts";
import { UserKeyStore } from "../../lib/store/user-keys.ts";
import type { UserSeals } from "../../lib/store/user-seals.ts";

/** Seals of users whose keys are in the memory of the test alone; everybody has one who is asked for. */
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

/** Has the handlers of this process, as far as it plays one container, use these seals instead of stored keys. */
export function holdSeals(held: UserSeals): void {
  Object.assign(userKeyRing(), { of: held.of, ensure: async () => {} });
}

/**
 * Has the handlers of this process give users keys that no team's key has wrapped, so that creating a user takes neither
 * KMS nor a read.
 */
export function holdTeamKeys(): void {
  const createItem = async (scope: TeamScope, userId: string) =>
    new UserKeyStore(tableOf(userKeyTable)).createItem(scope, userId, Buffer.alloc(61, 1));
  Object.assign(userKeyRing(), { createItem });
}
