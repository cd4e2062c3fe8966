import * as z from "zod";
import { type UserRecord, userRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../team-scope.ts";
import { type UserStore, userKey } from "../users/users.ts";
import { pendingList } from "./pending-list.ts";

/** Key of a user and its place in the list. */
const listed = z.object({ pk: z.string(), sk: z.string(), team_users_sort: z.string() });

/** Where a page ends: the place in the list, and the user. */
type Position = readonly [sort: string, userId: string];

/**
 * Returns a page of the users of a team in their grace period. The next end comes first.
 * @param after position at which the previous page ended.
 */
export async function listPendingErasures(
  { table }: Pick<UserStore, "table">,
  scope: TeamScope,
  after: Position | undefined,
  limit: number,
): Promise<{ readonly pending: UserRecord[]; readonly last: [string, string] | undefined }> {
  const team_users = pendingList(scope.teamId);
  const from = after && { ...userKey(scope, after[1]), team_users, team_users_sort: after[0] };
  const { items, lastKey } = await table.query(
    {
      IndexName: "team_users",
      KeyConditionExpression: "team_users = :team",
      ExpressionAttributeValues: { ":team": team_users },
      ...(from ? { ExclusiveStartKey: from } : {}),
      Limit: limit,
    },
    listed,
  );
  const found = await table.getMany(
    items.map(({ pk, sk }) => ({ pk, sk })),
    userRecord,
  );
  const byKey = new Map(found.map((user) => [userKey(scope, user.user_id).pk, user]));
  const pending = items.flatMap(({ pk }) => byKey.get(pk) ?? []).filter(isPending);
  const end = items.at(-1);
  return { pending, last: lastKey && end ? [end.team_users_sort, userIdOf(end.pk)] : undefined };
}

// The index may lag behind an undo.
const isPending = ({ lifecycle }: UserRecord) => lifecycle === "pending_erasure";

const userIdOf = (pk: string) => pk.slice(pk.lastIndexOf("#") + 1);
