import { deleteItem, getItem, putItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { reservations, users } from "../../lib/contract/resources.ts";
import { noContent, noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { toUserSettings, type UserPatch, type UserRecord, userPatch } from "../../lib/domain/users/user.ts";
import { ClientUserIdTaken, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { checkUserSettings } from "../../lib/services/users/check-user-settings.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "patchUser",
  method: "PATCH",
  path: "/v2/user/{user_id}",
  tag: "users",
  summary: "Update a user",
  description: [
    "Changes the settings of a user; fields that the request omits keep their values, and so does a null `client_user_id`.",
    "Null clears `ingestion_start`, `ingestion_end` and `fallback_birth_date`, and sets `fallback_time_zone` to UTC.",
    "New ingestion dates apply to data that arrives from then on; stored data stays.",
    "A new date must fit the stored other one: an `ingestion_end` before `ingestion_start` is refused.",
    "A new `client_user_id` frees the old one at once.",
    "If another user has the new one, the answer is `client_user_id_taken`, and nothing changes.",
  ],
  auth: "team",
  params: userParams,
  query: noFields,
  body: userPatch,
  response: noContent,
  status: 204,
  errors: [UserNotFound, ClientUserIdTaken],
  access: [getItem(users), updateItem(users), putItem(reservations), deleteItem(reservations)],
});

/** The attributes that the patch changes. */
function changesOf(body: UserPatch, user: UserRecord): Partial<UserRecord> {
  const { client_user_id } = body;
  const isRenamed = client_user_id != null && client_user_id !== user.client_user_id;
  return { ...toUserSettings(body, isoNow()), ...(isRenamed ? { client_user_id } : {}) };
}

export const handler = implement(contract, async ({ scope, params, body }, { users, reservations, commit }) => {
  // After a conflict with another change of the reference or of the ingestion dates, read the user and try again.
  for (;;) {
    const user = await users.get(scope, params.user_id);
    if (!user) throw new UserNotFound();
    checkUserSettings(body, user);
    const changes = changesOf(body, user);
    if (Object.keys(changes).length === 0) return undefined;
    const items = [users.updateItem(scope, user, changes)];
    if (changes.client_user_id !== undefined) {
      items.push(
        reservations.reserveItem(scope, { ...user, ...changes }),
        reservations.releaseItem(scope, user, "held"),
      );
    }
    try {
      await commit(items);
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (!error.items.has(0) && error.items.has(1)) throw ClientUserIdTaken.fromReservation(error.items.get(1));
    }
  }
});
