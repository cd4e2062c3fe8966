import * as z from "zod";
import { batchGetItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { toWireUser, wireUser } from "../../lib/domain/users/user.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";
import { positionText } from "../../lib/store/cursor.ts";
import { listUserPage, searchUserPage } from "../../lib/store/users/user-pages.ts";

/** Maximum number of users in one response: one request reads them. */
const PAGE = 100;

export const contract = endpoint({
  operationId: "searchUsers",
  method: "GET",
  path: "/console/user_search",
  tag: "console",
  summary: "Search users",
  description: [
    "Lists users whose `client_user_id` begins with `search`, in the order of these ids; case matters.",
    "If `search` is the complete `user_id` of a user, the first page has that user too, in front.",
    "Without `search` it lists all users in the order of creation. Users whose deletion has begun are in no list.",
    "A page reads the users that it shows and nothing else, so it takes the same time in a team of any size.",
    "It has no total, and may be shorter than `limit`: repeat the request with `next_cursor` until it is null.",
    "A new user or a new `client_user_id` may appear a moment late.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    search: z.string().trim().max(256).nullish().describe("A complete `user_id`, or how a `client_user_id` begins"),
    limit: queryInteger(1, PAGE).default(PAGE),
    next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
  }),
  userParameters: { search: "user_id" },
  response: z.object({ users: z.array(wireUser), next_cursor: z.string().nullable() }).meta({ id: "UserSearchPage" }),
  access: [getItem(users), queryItems(users, "team_users"), queryItems(users, "client_user_ids"), batchGetItem(users)],
});

export const handler = implement(contract, async ({ scope, query, pages }, { users }) => {
  const { search, limit } = query;
  const after = pages.read(query.next_cursor, z.tuple([positionText, positionText]));
  const position = { after, limit };
  const userId = z.guid().toLowerCase().safeParse(search).data;
  const [named, page] = await Promise.all([
    userId && !after ? users.get(scope, userId) : undefined,
    search ? searchUserPage(users, scope, search, position) : listUserPage(users, scope, position),
  ]);
  const others = page.users.filter(({ user_id }) => user_id !== userId);
  const found = named ? [named, ...others] : page.users;
  return {
    users: found.map((user) => toWireUser(user, providerSource)),
    next_cursor: page.last ? pages.write(page.last) : null,
  };
});
