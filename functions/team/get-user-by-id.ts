import * as z from "zod";
import { batchGetItem, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { reservations, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireUser, wireUser } from "../../lib/domain/users/user.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "getUserById",
  method: "GET",
  path: "/v2/team/users/search",
  tag: "team",
  summary: "Search users by id",
  description: [
    "Finds users by a complete id: the service's `user_id` or your own `client_user_id`.",
    "Use it if you do not know which kind of id you have; parts of an id match nothing.",
    "The list has up to two users, if one user's `client_user_id` is another's `user_id`.",
    "Without `query_id`, and for unknown or deleted users, the list is empty.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({ query_id: z.string().trim().max(256).nullish().describe("A `user_id` or a `client_user_id`") }),
  response: z.array(wireUser),
  access: [batchGetItem(users), getItem(reservations)],
});

export const handler = implement(contract, async ({ scope, query }, { users, reservations }) => {
  const queryId = query.query_id;
  if (!queryId) return [];
  const reservation = await reservations.get(scope, queryId);
  const serviceId = z.guid().toLowerCase().safeParse(queryId).data;
  const ids = new Set([serviceId, reservation?.user_id].flatMap((id) => id ?? []));
  const found = await users.getMany(scope, [...ids]);
  const isExactMatch = ({ user_id, client_user_id }: (typeof found)[number]) =>
    user_id === serviceId || client_user_id === queryId;
  return found.filter(isExactMatch).map((user) => toWireUser(user, providerSource));
});
