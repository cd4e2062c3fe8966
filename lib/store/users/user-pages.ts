import * as z from "zod";
import type { UserRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../team-scope.ts";
import { activeList, type UserStore, userKey } from "./users.ts";

/** A page of the active users of a team. */
interface PageQuery {
  /** Where the page before ended: the sort key in the index, and the user. */
  readonly after: readonly [sort: string, userId: string] | undefined;
  readonly limit: number;
}

/** Users, and where the page ends if the index has more. */
interface UserPage {
  readonly users: UserRecord[];
  readonly last: [sort: string, userId: string] | undefined;
}

type Reader = Pick<UserStore, "table" | "getMany">;

/** Returns users in the order of creation. It reads `limit` keys of the index, and their users. */
export const listUserPage = (store: Reader, scope: TeamScope, page: PageQuery): Promise<UserPage> =>
  readPage(store, scope, page, { index: "team_users", sortKey: "team_users_sort" });

/** Like {@link listUserPage}, for users whose `client_user_id` begins with a text, in the order of these ids. */
export async function searchUserPage(
  store: Reader,
  scope: TeamScope,
  prefix: string,
  page: PageQuery,
): Promise<UserPage> {
  const sortKey = "client_user_id";
  const { users, last } = await readPage(store, scope, page, { index: "client_user_ids", sortKey, prefix });
  // The index may lag behind a change of an id.
  return { users: users.filter(({ client_user_id }) => client_user_id.startsWith(prefix)), last };
}

interface IndexRange {
  readonly index: string;
  readonly sortKey: string;
  readonly prefix?: string;
}

async function readPage(
  store: Reader,
  scope: TeamScope,
  { after, limit }: PageQuery,
  { index, sortKey, prefix }: IndexRange,
): Promise<UserPage> {
  const team_users = activeList(scope);
  const [range, bound] = prefix === undefined ? [""] : [` AND begins_with(${sortKey}, :prefix)`, { ":prefix": prefix }];
  const { items, lastKey } = await store.table.query(
    {
      IndexName: index,
      KeyConditionExpression: `team_users = :team${range}`,
      ExpressionAttributeValues: { ":team": team_users, ...bound },
      ...(after && { ExclusiveStartKey: { ...userKey(scope, after[1]), team_users, [sortKey]: after[0] } }),
      Limit: limit,
    },
    z.record(z.string(), z.string()),
  );
  const places = items.map(({ pk = "", [sortKey]: sort = "" }): [string, string] => [sort, userIdOf(pk)]);
  const users = await store.getMany(
    scope,
    places.map(([, userId]) => userId),
  );
  return { users, last: lastKey && places.at(-1) };
}

const userIdOf = (pk: string) => pk.slice(pk.lastIndexOf("#") + 1);
