import { get, start, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, success, userParams } from "../../lib/contract/parts.ts";
import { deletionMachine, providerAccounts, reservations, users } from "../../lib/contract/resources.ts";
import { GRACE_PERIOD_MS } from "../../lib/domain/deletion.ts";
import type { UserRecord } from "../../lib/domain/user.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/**
 * Starts the deletion of a user: gone from every route and disconnected at once, erased when the grace period ends.
 * Repeating the call neither fails nor restarts the seven days (spec, States).
 */
export const contract = endpoint({
  operationId: "deleteUser",
  method: "DELETE",
  path: "/v2/user/{user_id}",
  tag: "users",
  summary: "Delete a user after a grace period of seven days",
  auth: "team",
  params: userParams,
  query: nothing,
  response: success,
  errors: [UserNotFound],
  access: [get(users), update(users), update(reservations), update(providerAccounts), start(deletionMachine)],
});

/** The user as it stands once its deletion is pending. */
function pending(user: UserRecord): UserRecord {
  if (user.lifecycle !== "active") return user;
  const now = ports().clock.now();
  const erase_at = new Date(now + GRACE_PERIOD_MS).toISOString();
  const deletion_requested_at = new Date(now).toISOString();
  return { ...user, lifecycle: "pending_erasure", deletion_id: ports().ids.uuid(), deletion_requested_at, erase_at };
}

export const handler = implement(contract, async ({ scope, params }, uses) => {
  const { users, reservations, providerAccounts, deletions, commit } = uses;
  // A call that loses a race looks again: answers have to be true of some moment while the call was under way.
  for (;;) {
    const user = await users.getAnyState(scope, params.user_id);
    if (!user || user.lifecycle === "erasing") throw new UserNotFound();
    const deleted = pending(user);
    try {
      if (user.lifecycle === "active") {
        const released = reservations.moveItem(scope, user, "held", "released");
        await commit([users.pendItem(scope, deleted), released, ...providerAccounts.disconnectItems(scope, user)]);
      }
    } catch (error) {
      if (error instanceof ConditionFailed) continue;
      throw error;
    }
    await deletions.start(deletionInput(deleted));
    return { success: true };
  }
});

const deletionInput = ({ deletion_id = "", team_id, user_id, erase_at = "" }: UserRecord) => ({
  deletion_id,
  team_id,
  user_id,
  erase_at,
});
