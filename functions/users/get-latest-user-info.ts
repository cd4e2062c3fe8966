import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userInfos, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { wireUserInfo } from "../../lib/domain/users/demographics/user-info.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Returns the latest stored demographics of a user. */
export const contract = endpoint({
  operationId: "getLatestUserInfo",
  method: "GET",
  path: "/v2/user/{user_id}/info/latest",
  tag: "users",
  summary: "Retrieve user info",
  auth: "team",
  params: userParams,
  query: noFields,
  response: wireUserInfo,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(userInfos)],
});

export const handler = implement(contract, async ({ scope, params }, { users, userInfos }) => {
  const [user, info] = await Promise.all([users.get(scope, params.user_id), userInfos.get(scope, params.user_id)]);
  if (!user) throw new UserNotFound();
  if (!info) throw new NotFound("The user has no user info.");
  return info;
});
