import { users } from "../../contract/resources.ts";
import type { UserRecord } from "../../domain/users/user.ts";

/** Index partition of the users of a team in their grace period. */
export const pendingList = (teamId: string) => `${users.keyPrefix}pending#${teamId}`;

/** Returns the index attributes of a user in its grace period: in the list of its team, by the end of the period. */
export const pendingListAttributes = ({ team_id, user_id, erase_at }: UserRecord) => ({
  ":pendingList": pendingList(team_id),
  ":pendingSort": `${erase_at}#${user_id}`,
});
