import * as z from "zod";
import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { reservations, users } from "../../lib/contract/resources.ts";
import { clientUserId, toWireUser, wireUser } from "../../lib/domain/user.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

/**
 * The reference whose path another route matches too. A static alias without a variable gives this route precedence.
 */
const AMBIGUOUS = "device";

/** Returns the user with the team's own id. */
export const contract = endpoint({
  operationId: "getUserByClientUserId",
  method: "GET",
  path: "/v2/user/resolve/{client_user_id}",
  aliases: [`/v2/user/resolve/${AMBIGUOUS}`],
  tag: "users",
  summary: "Retrieve a user by client_user_id",
  auth: "team",
  params: z.object({ client_user_id: clientUserId.default(AMBIGUOUS) }),
  query: nothing,
  response: wireUser,
  errors: [UserNotFound],
  access: [get(users), get(reservations)],
});

export const handler = implement(contract, async ({ scope, params }, { users, reservations }) => {
  const reservation = await reservations.get(scope, params.client_user_id);
  const user = reservation && (await users.get(scope, reservation.user_id));
  // The reference may have changed between the two reads, and then no user had it for a moment.
  if (user?.client_user_id !== params.client_user_id) throw new UserNotFound();
  return toWireUser(user, providerSource);
});
