import type { UserRecord } from "../../domain/users/user.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { UndoRefused, UserNotFound } from "../../runtime/errors.ts";
import { isoNow } from "../../runtime/ports.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/**
 * Restores a user in the grace period. After a write conflict it reads the user again. A refusal must be true at some
 * moment during the call.
 * @param found the user as read, in any state.
 * @returns the user as it was.
 * @throws UserNotFound; UndoRefused with the reason.
 */
export async function restoreUser(
  scope: TeamScope,
  found: UserRecord | undefined,
  { users, reservations, commit }: Dependencies<"users" | "reservations" | "commit">,
): Promise<UserRecord> {
  for (let user = requirePending(found); ; ) {
    try {
      await commit([
        users.restoreItem(scope, user, isoNow()),
        reservations.transitionItem(scope, user, "released", "held"),
      ]);
      return user;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      user = requirePending(await users.getAnyState(scope, user.user_id));
      const reservation = error.items.get(1);
      if (reservation && reservation.user_id !== user.user_id)
        throw new UndoRefused("Another user has had the client_user_id since.");
      if ((user.erase_at ?? "") <= isoNow()) throw new UndoRefused("The grace period is over.");
      // The user was restored and deleted again meanwhile.
    }
  }
}

/** @throws UserNotFound without a user, or once its erasure has begun; UndoRefused for an active user. */
function requirePending(user: UserRecord | undefined): UserRecord {
  if (!user || user.lifecycle === "erasing") throw new UserNotFound();
  if (user.lifecycle === "active") throw new UndoRefused("There is no deletion to undo.");
  return user;
}
