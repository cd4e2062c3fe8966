import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { reservations, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { clientUserId, toWireUser, wireUser } from "../../lib/domain/users/user.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

/**
 * The reference whose path another route matches too. A static alias without a variable gives this route precedence.
 */
const AMBIGUOUS_SEGMENT = "device";

export const contract = endpoint({
  operationId: "getUserByClientUserId",
  method: "GET",
  path: "/v2/user/resolve/{client_user_id}",
  aliases: [`/v2/user/resolve/${AMBIGUOUS_SEGMENT}`],
  tag: "users",
  summary: "Retrieve a user by client_user_id",
  description: [
    "Returns the user with your own id, for example if you did not store the `user_id`.",
    "An id that no active user has answers `user_not_found`, also during the grace period of a deletion.",
  ],
  auth: "team",
  params: z.object({ client_user_id: clientUserId.default(AMBIGUOUS_SEGMENT) }),
  query: noFields,
  response: wireUser,
  agentTool: {
    name: "find_user",
    description: ["Finds a user by the team's own id, client_user_id, and returns the user_id that other tools take."],
    reach: "object",
    shortening: { kind: "whole" },
    rest: "The answer is always complete.",
  },
  errors: [UserNotFound],
  access: [getItem(users), getItem(reservations)],
});

export const handler = implement(contract, async ({ scope, params }, { users, reservations }) => {
  const reservation = await reservations.get(scope, params.client_user_id);
  const user = reservation && (await users.get(scope, reservation.user_id));
  // The reference may have changed between the two reads, and then no user had it for a moment.
  if (user?.client_user_id !== params.client_user_id) throw new UserNotFound();
  return toWireUser(user, providerSource);
});
