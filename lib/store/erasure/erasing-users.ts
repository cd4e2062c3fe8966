import { users } from "../../contract/resources.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { dueQuery } from "../due-index.ts";
import type { TeamScope } from "../team-scope.ts";
import { USER_DELETION_SHARD } from "./due-deletions.ts";
import { pendingListAttributes } from "./pending-list.ts";

/** Returns the index partition of a team's users in erasure. */
const erasingShard = ({ teamId }: TeamScope): string => `${users.keyPrefix}erasing#${teamId}`;

/** Query for users in erasure. */
export const erasingQuery = (scope: TeamScope) => dueQuery(erasingShard(scope), 1);

/**
 * active -> pending_erasure, with the ends of phones that the user has from now on. It fails if the connections have
 * changed.
 */
export const requestErasureUpdate = (pending: UserRecord) => ({
  UpdateExpression:
    "SET lifecycle = :pending, deletion_id = :id, deletion_requested_at = :requested, erase_at = :at, connections = :none, phone_ends = :ends, due_shard = :due, due_at = :at, team_users = :pendingList, team_users_sort = :pendingSort",
  ConditionExpression: "lifecycle = :active AND connections = :connections",
  ExpressionAttributeValues: {
    ":active": "active",
    ":connections": pending.connections,
    ":pending": "pending_erasure",
    ":id": pending.deletion_id,
    ":requested": pending.deletion_requested_at,
    ":at": pending.erase_at,
    ":none": {},
    ":ends": pending.phone_ends ?? {},
    ":due": USER_DELETION_SHARD,
    ...pendingListAttributes(pending),
  },
});

/** pending_erasure -> active, before the grace period ends. @param listed attributes of the team's list. @param now ISO 8601. */
export const restoreUpdate = (
  { deletion_id }: UserRecord,
  listed: { readonly team_users: string; readonly team_users_sort: string },
  now: string,
) => ({
  UpdateExpression:
    "SET lifecycle = :active, team_users = :team, team_users_sort = :sort REMOVE deletion_id, deletion_requested_at, erase_at, due_shard, due_at",
  ConditionExpression: "lifecycle = :pending AND deletion_id = :id AND erase_at > :now",
  ExpressionAttributeValues: {
    ":active": "active",
    ":pending": "pending_erasure",
    ":id": deletion_id,
    ":now": now,
    ":team": listed.team_users,
    ":sort": listed.team_users_sort,
  },
});

/** pending_erasure -> erasing, once the grace period is over. @param now ISO 8601. */
export const startErasureUpdate = (scope: TeamScope, deletionId: string, now: string) => ({
  UpdateExpression: "SET lifecycle = :erasing, due_shard = :shard REMOVE team_users, team_users_sort",
  ConditionExpression: "lifecycle = :pending AND deletion_id = :id AND erase_at <= :now",
  ExpressionAttributeValues: {
    ":erasing": "erasing",
    ":pending": "pending_erasure",
    ":id": deletionId,
    ":now": now,
    ":shard": erasingShard(scope),
  },
});

/** Any state -> erasing. */
export const restartErasureUpdate = ({ lifecycle }: UserRecord) => ({
  UpdateExpression:
    "SET lifecycle = :erasing, connections = :none REMOVE team_users, team_users_sort, due_shard, due_at",
  ConditionExpression: "lifecycle = :read",
  ExpressionAttributeValues: { ":erasing": "erasing", ":read": lifecycle, ":none": {} },
});

/** Condition for deleting the record of a user. */
export const ifErasing = {
  ConditionExpression: "attribute_not_exists(pk) OR lifecycle = :erasing",
  ExpressionAttributeValues: { ":erasing": "erasing" },
};
