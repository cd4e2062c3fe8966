import { getItem, grants, startExecution, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { deletionStateMachine, providerAccounts, reservations, users } from "../../lib/contract/resources.ts";
import { noFields, successResponse, userParams } from "../../lib/contract/shared-schemas.ts";
import { withPendingDeletion } from "../../lib/domain/erasure/pending-deletion.ts";
import type { UserRecord } from "../../lib/domain/users/user.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { endAllConsentsAccess, endAllConsentsItems } from "../../lib/services/connections/consents/end-consent.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "deleteUser",
  method: "DELETE",
  path: "/v2/user/{user_id}",
  tag: "users",
  summary: "Delete a user after a grace period of seven days",
  description: [
    "Starts the deletion of a user, with a grace period of seven days.",
    "The user disappears from all routes at once, except `GET /v2/user/deletions`, and all connections and phone sessions end.",
    "From then on the service accepts and sends nothing of the user; no event announces the deletion.",
    "After seven days it revokes the access at providers that no other connection uses, erases all data and stores a certificate.",
    "`POST /v2/user/undo_delete` restores the user during the grace period, without connections and phone sessions.",
    "Another user can take the `client_user_id` at once.",
    "A repeated call does not restart the seven days; once the erasure begins, it answers `user_not_found`.",
  ],
  auth: "team",
  params: userParams,
  query: noFields,
  response: successResponse,
  errors: [UserNotFound],
  access: grants(
    [getItem(users), updateItem(users), updateItem(reservations), updateItem(providerAccounts)],
    startExecution(deletionStateMachine),
    endAllConsentsAccess,
  ),
});

export const handler = implement(contract, async ({ scope, params }, deps) => {
  const { users, reservations, providerAccounts, deletions, commit } = deps;
  // After a write conflict, read the user and try again: the response must be true at some moment during the call.
  for (;;) {
    const user = await users.getAnyState(scope, params.user_id);
    if (!user || user.lifecycle === "erasing") throw new UserNotFound();
    const deleted = withPendingDeletion(user, ports().ids.uuid(), ports().clock.now());
    try {
      if (user.lifecycle === "active") {
        const released = reservations.transitionItem(scope, user, "held", "released");
        await commit([
          users.requestErasureItem(scope, deleted),
          released,
          ...providerAccounts.disconnectItems(scope, user),
          ...(await endAllConsentsItems(deps, scope, user, { state: "terminated", by: "team", at: isoNow() })),
        ]);
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
