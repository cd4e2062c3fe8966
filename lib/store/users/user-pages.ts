import * as z from "zod";
import { type UserRecord, userRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../team-scope.ts";
import { activeList, type UserStore, userIdOf, userKey } from "./users.ts";

/** Which users of a list to return. */
export interface PageQuery {
  /** Where the page before ended: the sort key in the index, and the user. */
  readonly after: readonly [sort: string, userId: string] | undefined;
  readonly limit: number;
}

/** Users, and where the page ends if the index has more. */
interface UserPage {
  readonly users: UserRecord[];
  readonly last: [sort: string, userId: string] | undefined;
}

/** A list of users: a partition of an index, or the part of it whose sort keys have a prefix. */
interface UserList {
  readonly list: string;
  readonly index: string;
  readonly sortKey: string;
  readonly prefix?: string;
}

type Reader = Pick<UserStore, "table">;

/** Returns active users in the order of creation. It reads `limit` keys of the index, and their users. */
export const listUserPage = (store: Reader, scope: TeamScope, page: PageQuery): Promise<UserPage> =>
  readActivePage(store, scope, page, { index: "team_users", sortKey: "team_users_sort" });

/** Like {@link listUserPage}, for users whose `client_user_id` begins with a text, in the order of these ids. */
export async function searchUserPage(
  store: Reader,
  scope: TeamScope,
  prefix: string,
  page: PageQuery,
): Promise<UserPage> {
  const sortKey = "client_user_id";
  const { users, last } = await readActivePage(store, scope, page, { index: "client_user_ids", sortKey, prefix });
  // The index may lag behind a change of an id.
  return { users: users.filter(({ client_user_id }) => client_user_id.startsWith(prefix)), last };
}

async function readActivePage(store: Reader, scope: TeamScope, page: PageQuery, of: Omit<UserList, "list">) {
  const { users, last } = await readUserPage(store, scope, page, { ...of, list: activeList(scope) });
  return { users: users.filter(({ lifecycle }) => lifecycle === "active"), last };
}

/** Returns the users of a list in its order. The list may lag behind the state of a user. */
export async function readUserPage(
  { table }: Reader,
  scope: TeamScope,
  { after, limit }: PageQuery,
  { list, index, sortKey, prefix }: UserList,
): Promise<UserPage> {
  const [range, bound] = prefix === undefined ? [""] : [` AND begins_with(${sortKey}, :prefix)`, { ":prefix": prefix }];
  const { items, lastKey } = await table.query(
    {
      IndexName: index,
      KeyConditionExpression: `team_users = :list${range}`,
      ExpressionAttributeValues: { ":list": list, ...bound },
      ...(after && { ExclusiveStartKey: { ...userKey(scope, after[1]), team_users: list, [sortKey]: after[0] } }),
      Limit: limit,
    },
    z.record(z.string(), z.string()),
  );
  const places = items.map(({ pk = "", [sortKey]: sort = "" }): [string, string] => [sort, userIdOf(pk)]);
  const found = await table.getMany(
    places.map(([, userId]) => userKey(scope, userId)),
    userRecord,
  );
  const byKey = new Map(found.map((user) => [userKey(scope, user.user_id).pk, user]));
  return { users: items.flatMap(({ pk = "" }) => byKey.get(pk) ?? []), last: lastKey && places.at(-1) };
}
