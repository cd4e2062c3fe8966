import { check, get, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, userParams } from "../../lib/contract/parts.ts";
import { userInfos, users } from "../../lib/contract/resources.ts";
import { changesOf, userInfoDraft, wireUserInfo } from "../../lib/domain/demographics/user-info.ts";
import { checkBirthDate } from "../../lib/runtime/birth-date.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Stores the demographics of a user for laboratories. Optional fields that the request omits keep their values. */
export const contract = endpoint({
  operationId: "upsertUserInfo",
  method: "PATCH",
  path: "/v2/user/{user_id}/info",
  tag: "users",
  summary: "Create or update user info",
  auth: "team",
  params: userParams,
  query: nothing,
  body: userInfoDraft,
  response: wireUserInfo,
  errors: [UserNotFound],
  access: [check(users), update(userInfos), get(userInfos)],
});

export const handler = implement(contract, async ({ scope, params, body }, { users, userInfos, commit }) => {
  checkBirthDate(["body"], body.dob);
  const { user_id } = params;
  try {
    await commit([users.requireActiveItem(scope, user_id), userInfos.setItem(scope, user_id, changesOf(body))]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw new UserNotFound();
    throw error;
  }
  const info = await userInfos.get(scope, user_id);
  // The user was erased in the meantime.
  if (!info) throw new UserNotFound();
  return info;
});
