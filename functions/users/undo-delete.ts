import * as z from "zod";
import { getItem, stopExecution, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { deletionStateMachine, reservations, users } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { clientUserId } from "../../lib/domain/users/user.ts";
import { UndoRefused, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { restoreUser } from "../../lib/services/users/restore-user.ts";

const userSelector = z.object({ user_id: z.guid().nullish(), client_user_id: clientUserId.nullish() });
type UserSelector = z.output<typeof userSelector>;

export const contract = endpoint({
  operationId: "undoDelete",
  method: "POST",
  path: "/v2/user/undo_delete",
  tag: "users",
  summary: "Undo the deletion of a user",
  description: [
    "Restores a deleted user during the grace period of seven days.",
    "Name the user by exactly one of `user_id` and `client_user_id`, in the query or in the body.",
    "The user returns with all data, but without connections and phone sessions: ask the user to connect again.",
    "The answer is `undo_refused` if the user is not deleted, or if another user has had the `client_user_id` since.",
    "By a `client_user_id` that another user took and gave up, the answer is `user_not_found`: it leads to nobody.",
    "After the grace period it is `undo_refused` too, and once the erasure has begun `user_not_found`.",
  ],
  auth: "team",
  params: noFields,
  query: userSelector,
  body: userSelector.nullish(),
  response: successResponse,
  errors: [UserNotFound, UndoRefused],
  access: [
    getItem(users),
    updateItem(users),
    getItem(reservations),
    updateItem(reservations),
    stopExecution(deletionStateMachine),
  ],
});

/** @throws ValidationFailed unless query and body together contain exactly one id. */
function requireOneSelector(query: UserSelector, body: UserSelector | null | undefined): UserSelector {
  const selector = {
    user_id: query.user_id ?? body?.user_id,
    client_user_id: query.client_user_id ?? body?.client_user_id,
  };
  const differ = (a: unknown, b: unknown) => a != null && b != null && a !== b;
  const isClash = differ(query.user_id, body?.user_id) || differ(query.client_user_id, body?.client_user_id);
  if (isClash || (selector.user_id == null) === (selector.client_user_id == null)) {
    throw ValidationFailed.at(["query"], "Exactly one of user_id and client_user_id is required");
  }
  return selector;
}

export const handler = implement(contract, async ({ scope, query, body, log }, deps) => {
  const { users, reservations, deletions } = deps;
  const { user_id, client_user_id } = requireOneSelector(query, body);
  const userId = user_id ?? (await reservations.get(scope, client_user_id ?? ""))?.user_id;
  const found = userId ? await users.getAnyState(scope, userId) : undefined;
  const isMatch = client_user_id == null || found?.client_user_id === client_user_id;
  const user = await restoreUser(scope, isMatch ? found : undefined, deps);
  await deletions
    .stop(user.deletion_id ?? "")
    .catch((error) =>
      log.error("could not stop the state machine of an undone deletion; it ends without erasing the user", error),
    );
  return { success: true };
});
