import * as z from "zod";
import { users } from "../../contract/resources.ts";
import { type UserRecord, userRecord } from "../../domain/users/user.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Returns the index attributes of a user in its grace period: in the list of its team, by the end of the period. */
export const pendingListAttributes = ({ team_id, user_id, erase_at }: UserRecord) => ({
  ":pendingList": `${users.keyPrefix}pending#${team_id}`,
  ":pendingSort": `${erase_at}#${user_id}`,
});

/** Key of a user and of its entry in the list. */
const listed = z.object({ pk: z.string(), sk: z.string(), team_users_sort: z.string() });

/** Where a page ends: the order in the list, and the user. */
type Position = readonly [sort: string, userId: string];

/**
 * Returns a page of the users of a team in their grace period. The next end comes first.
 * @param after position at which the previous page ended.
 */
export async function findPendingErasures(
  table: Table,
  { scope, keyOf }: { readonly scope: TeamScope; readonly keyOf: (userId: string) => { pk: string; sk: string } },
  after: Position | undefined,
  limit: number,
): Promise<{ readonly pending: UserRecord[]; readonly last: [string, string] | undefined }> {
  const team_users = `${users.keyPrefix}pending#${scope.teamId}`;
  const from = after && { ...keyOf(after[1]), team_users, team_users_sort: after[0] };
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
  const byKey = new Map(found.map((user) => [keyOf(user.user_id).pk, user]));
  const pending = items.flatMap(({ pk }) => byKey.get(pk) ?? []).filter(isPending);
  const end = items.at(-1);
  return { pending, last: lastKey && end ? [end.team_users_sort, userIdOf(end.pk)] : undefined };
}

// The index may lag behind an undo.
const isPending = ({ lifecycle }: UserRecord) => lifecycle === "pending_erasure";

const userIdOf = (pk: string) => pk.slice(pk.lastIndexOf("#") + 1);
