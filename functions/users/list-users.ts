import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";

import { toWireUser, wireUser } from "../../lib/domain/users/user.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "listUsers",
  method: "GET",
  path: "/v2/user",
  tag: "users",
  summary: "List users",
  description: [
    "Lists the users of your team in the order of creation, without users whose deletion has begun.",
    "A page holds 100 users unless `limit` says otherwise, at most 500; `total` counts all of them.",
    "A page may be shorter than `limit` if a deletion happens at the same time.",
    "A new user may appear a moment late; `GET /v2/user/{user_id}` returns it at once.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({ offset: queryInteger(0, 1_000_000).default(0), limit: queryInteger(1, 500).default(100) }),
  response: z
    .object({ users: z.array(wireUser), total: z.number().int(), offset: z.number().int(), limit: z.number().int() })
    .meta({ id: "PaginatedUsers" }),
  agentTool: {
    name: "list_users",
    description: [
      "Lists the users of the team with their ids, which all other tools take.",
      "Names of users are not part of it.",
    ],
    reach: "team",
    shortening: { kind: "list", of: "users" },
    rest: "Call again with `offset` raised by the number of users that you received.",
  },
  access: [queryItems(users, "team_users"), batchGetItem(users)],
});

export const handler = implement(contract, async ({ scope, query: { offset, limit } }, { users }) => {
  const ids = await users.listIds(scope);
  const page = await users.getMany(scope, ids.slice(offset, offset + limit));
  return { users: page.map((user) => toWireUser(user, providerSource)), total: ids.length, offset, limit };
});
