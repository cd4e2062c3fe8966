import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userInfos, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { wireUserInfo } from "../../lib/domain/users/demographics/user-info.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getLatestUserInfo",
  method: "GET",
  path: "/v2/user/{user_id}/info/latest",
  tag: "users",
  summary: "Retrieve the user info of a user",
  description: [
    "Returns the stored demographics of a user.",
    "Only your team stores them, with `PATCH /v2/user/{user_id}/info`.",
    "The profile that a provider delivers is separate: read it at `GET /v2/summary/profile/{user_id}`.",
    "A user without user info answers `not_found`.",
  ],
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
