import { users } from "../../contract/resources.ts";
import type { UserRecord } from "../../domain/user.ts";
import type { TeamScope } from "../team-scope.ts";

/** Returns the index partition of a team's users in erasure. */
export const erasingShard = ({ teamId }: TeamScope): string => `${users.keyPrefix}erasing#${teamId}`;

/** Query for users in erasure. */
export const erasingQuery = (scope: TeamScope) => ({
  IndexName: "due",
  KeyConditionExpression: "due_shard = :shard",
  ExpressionAttributeValues: { ":shard": erasingShard(scope) },
  Limit: 1,
});

/** pending_erasure -> erasing, once the grace period is over. @param now ISO 8601. */
export const beginning = (scope: TeamScope, deletionId: string, now: string) => ({
  UpdateExpression: "SET lifecycle = :erasing, due_shard = :shard",
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
export const beginningAgain = ({ lifecycle }: UserRecord) => ({
  UpdateExpression:
    "SET lifecycle = :erasing, connections = :none REMOVE team_users, team_users_sort, due_shard, due_at",
  ConditionExpression: "lifecycle = :read",
  ExpressionAttributeValues: { ":erasing": "erasing", ":read": lifecycle, ":none": {} },
});

/** Condition for deleting the record of a user. */
export const isEnding = {
  ConditionExpression: "attribute_not_exists(pk) OR lifecycle = :erasing",
  ExpressionAttributeValues: { ":erasing": "erasing" },
};
