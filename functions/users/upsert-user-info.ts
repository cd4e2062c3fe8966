import { conditionCheckItem, getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userInfos, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { userInfoChanges, userInfoDraft, wireUserInfo } from "../../lib/domain/users/demographics/user-info.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { checkBirthDate } from "../../lib/services/users/check-birth-date.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "upsertUserInfo",
  method: "PATCH",
  path: "/v2/user/{user_id}/info",
  tag: "users",
  summary: "Create or update user info",
  description: [
    "Stores the demographics of a user, which an insurance and a portal link require.",
    "An order takes race, ethnicity, sexual orientation, gender identity and medical proxy from here if it names none.",
    "Each request carries the seven required fields; omitted optional fields keep their values, and null clears them.",
    "Names must suit laboratories: at most 50 letters, digits, single spaces and `- . , '`, without accents.",
    "A phone number without country code is a US number, and the response has it as E.164.",
    "An address without country is in the US: a state of two letters, and a zip code of 5 or 9 digits.",
    "The date of birth is from 1900 on and not in the future.",
  ],
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
