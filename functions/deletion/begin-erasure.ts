import { deleteItem, getItem, updateItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { quotas, reservations, users } from "../../lib/contract/resources.ts";
import { deletionInput } from "../../lib/domain/erasure/deletion-input.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Moves a user from pending to erasing, if this deletion still stands and its grace period is over. This step is
 * irreversible. Releases the `client_user_id` unless a new user holds it.
 */
export const contract = consumer({
  operationId: "beginErasure",
  tag: "deletion",
  summary: "Begin the erasure of a user after the grace period",
  trigger: { kind: "task" },
  message: deletionInput,
  access: [getItem(users), updateItem(users), deleteItem(reservations), updateItem(quotas)],
});

export const handler = consume(contract, async ({ message }, { users, reservations, quotas, commit }) => {
  const { deletion_id, team_id, user_id } = message;
  const scope = TeamScope.grant(team_id);
  const user = await users.getAnyState(scope, user_id);
  if (user?.deletion_id !== deletion_id) return { proceed: false };
  const startErasure = users.startErasureItem(scope, user_id, deletion_id, isoNow());
  const releaseReference = reservations.releaseItem(scope, user, "released");
  const releaseQuota = user.quota_place === undefined ? [] : [quotas.releaseUserItem(scope, user.quota_place)];
  try {
    await commit([startErasure, releaseReference, ...releaseQuota]).catch((error) => {
      // Only item 1 failed: a new user holds the reference, so this user can never get it back.
      if (error instanceof ConditionFailed && !error.items.has(0)) return commit([startErasure, ...releaseQuota]);
      throw error;
    });
    return { proceed: true };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const now = await users.getAnyState(scope, user_id);
    if (now?.deletion_id !== deletion_id || now.lifecycle === "active") return { proceed: false };
    // Another run of this step may have started the erasure. Proceed, or the erasure would never end.
    if (now.lifecycle === "erasing") return { proceed: true };
    throw new Error("the grace period is not over by this clock; the state machine retries");
  }
});
