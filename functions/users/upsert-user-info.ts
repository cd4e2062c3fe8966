import { conditionCheckItem, getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userInfos, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { userInfoChanges, userInfoDraft, wireUserInfo } from "../../lib/domain/users/demographics/user-info.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { checkBirthDate } from "../../lib/services/users/check-birth-date.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

/** Stores the demographics of a user for laboratories. Optional fields that the request omits keep their values. */
export const contract = endpoint({
  operationId: "upsertUserInfo",
  method: "PATCH",
  path: "/v2/user/{user_id}/info",
  tag: "users",
  summary: "Create or update user info",
  auth: "team",
  params: userParams,
  query: noFields,
  body: userInfoDraft,
  response: wireUserInfo,
  errors: [UserNotFound],
  access: [conditionCheckItem(users), updateItem(userInfos), getItem(userInfos)],
});

export const handler = implement(contract, async ({ scope, params, body }, { users, userInfos, commit }) => {
  checkBirthDate(["body"], body.dob);
  const { user_id } = params;
  const items = [users.requireActiveItem(scope, user_id), userInfos.updateItem(scope, user_id, userInfoChanges(body))];
  await explainConditionFailed(commit(items), () => new UserNotFound());
  const info = await userInfos.get(scope, user_id);
  // The user was erased in the meantime.
  if (!info) throw new UserNotFound();
  return info;
});
