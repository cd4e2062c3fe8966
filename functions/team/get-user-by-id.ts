import * as z from "zod";
import { get, getMany } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { reservations, users } from "../../lib/contract/resources.ts";
import { toWireUser, wireUser } from "../../lib/domain/user.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

/**
 * Finds users by a complete id: the id of the service or the `client_user_id` of the team. Returns an empty list
 * without an id.
 */
export const contract = endpoint({
  operationId: "getUserById",
  method: "GET",
  path: "/v2/team/users/search",
  tag: "team",
  summary: "Search users by id",
  auth: "team",
  params: nothing,
  query: z.object({ query_id: z.string().trim().max(256).nullish() }),
  response: z.array(wireUser),
  access: [getMany(users), get(reservations)],
});

export const handler = implement(contract, async ({ scope, query }, { users, reservations }) => {
  const wanted = query.query_id;
  if (!wanted) return [];
  const reservation = await reservations.get(scope, wanted);
  const own = z.guid().toLowerCase().safeParse(wanted).data;
  const ids = new Set([own, reservation?.user_id].flatMap((id) => id ?? []));
  const found = await users.getMany(scope, [...ids]);
  const isAsked = ({ user_id, client_user_id }: (typeof found)[number]) => user_id === own || client_user_id === wanted;
  return found.filter(isAsked).map((user) => toWireUser(user, providerSource));
});
