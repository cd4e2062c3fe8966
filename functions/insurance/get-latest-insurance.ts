import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { insurances, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { wireInsurance } from "../../lib/domain/insurance/insurance.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getLatestInsurance",
  method: "GET",
  path: "/v2/user/{user_id}/insurance/latest",
  tag: "insurance",
  summary: "Retrieve the latest insurance of a user",
  description: [
    "Returns the newest primary insurance of a user, which orders bill if they name no insurance.",
    "With `is_primary=false`, it returns the newest of the insurances that are not primary.",
    "A user without such an insurance returns `not_found`, and an unknown user `user_not_found`.",
    "Earlier insurances stay stored, but no route returns them.",
  ],
  auth: "team",
  feature: "insurance",
  params: userParams,
  query: z.object({
    is_primary: z
      .stringbool()
      .default(true)
      .meta({ type: "boolean", description: "false: the newest insurance that is not primary" }),
  }),
  response: wireInsurance,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), queryItems(insurances)],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, insurances }) => {
  const [user, insurance] = await Promise.all([
    users.get(scope, params.user_id),
    insurances.getLatest(scope, params.user_id, query.is_primary),
  ]);
  if (!user) throw new UserNotFound();
  if (!insurance) throw new NotFound("The user has no such insurance.");
  return insurance;
});
