import * as z from "zod";
import { get, stop, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, success } from "../../lib/contract/parts.ts";
import { deletionMachine, reservations, users } from "../../lib/contract/resources.ts";
import { clientUserId } from "../../lib/domain/user.ts";
import { UndoRefused, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

const who = z.object({ user_id: z.guid().nullish(), client_user_id: clientUserId.nullish() });
type Who = z.output<typeof who>;

/**
 * Restores a deleted user within the grace period, unless another user now has the `client_user_id`. The query or the
 * body names the user by exactly one id.
 */
export const contract = endpoint({
  operationId: "undoDelete",
  method: "POST",
  path: "/v2/user/undo_delete",
  tag: "users",
  summary: "Undo the deletion of a user",
  auth: "team",
  params: nothing,
  query: who,
  body: who.nullish(),
  response: success,
  errors: [UserNotFound, UndoRefused],
  access: [get(users), update(users), get(reservations), update(reservations), stop(deletionMachine)],
});

/** @throws ValidationFailed unless query and body together contain exactly one id. */
function exactlyOne(query: Who, body: Who | null | undefined): Who {
  const given = {
    user_id: query.user_id ?? body?.user_id,
    client_user_id: query.client_user_id ?? body?.client_user_id,
  };
  const isTwice = (a: unknown, b: unknown) => a != null && b != null && a !== b;
  const isClash = isTwice(query.user_id, body?.user_id) || isTwice(query.client_user_id, body?.client_user_id);
  if (isClash || (given.user_id == null) === (given.client_user_id == null)) {
    throw ValidationFailed.at(["query"], "Exactly one of user_id and client_user_id is required");
  }
  return given;
}

export const handler = implement(contract, async ({ scope, query, body, log }, uses) => {
  const { users, reservations, deletions, commit } = uses;
  const { user_id, client_user_id } = exactlyOne(query, body);
  const userId = user_id ?? (await reservations.get(scope, client_user_id ?? ""))?.user_id;
  const user = userId && (await users.getAnyState(scope, userId));
  const isMeant = user && (client_user_id == null || user.client_user_id === client_user_id);
  if (!isMeant || user.lifecycle === "erasing") throw new UserNotFound();
  if (user.lifecycle === "active") throw new UndoRefused("There is no deletion to undo.");
  try {
    await commit([users.restoreItem(scope, user, isoNow()), reservations.moveItem(scope, user, "released", "held")]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const isReused = error.items.has(1);
    throw new UndoRefused(isReused ? "Another user has the client_user_id." : "The grace period is over.");
  }
  await deletions
    .stop(user.deletion_id ?? "")
    .catch((error) =>
      log.error("could not stop the state machine of an undone deletion; it ends without erasing the user", error),
    );
  return { success: true };
});
