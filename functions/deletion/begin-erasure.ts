import { get, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { quotas, reservations, users } from "../../lib/contract/resources.ts";
import { deletionInput } from "../../lib/domain/deletion.ts";
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
  access: [get(users), update(users), remove(reservations), update(quotas)],
});

export const handler = consume(contract, async ({ message }, { users, reservations, quotas, commit }) => {
  const { deletion_id, team_id, user_id } = message;
  const scope = TeamScope.grant(team_id);
  const user = await users.getAnyState(scope, user_id);
  if (user?.deletion_id !== deletion_id) return { proceed: false };
  const begin = users.beginErasureItem(scope, user_id, deletion_id, isoNow());
  const free = reservations.freeItem(scope, user, "released");
  const uncount = user.quota_place === undefined ? [] : [quotas.freeUserItem(scope, user.quota_place)];
  try {
    await commit([begin, free, ...uncount]).catch((error) => {
      // Only item 1 failed: a new user holds the reference, so this user can never get it back.
      if (error instanceof ConditionFailed && !error.items.has(0)) return commit([begin, ...uncount]);
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
