import { conditionCheckItem, getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { insurances, payors, userInfos, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { type Insurance, insuranceDraft, wireInsurance } from "../../lib/domain/insurance/insurance.ts";
import { NotPossible, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { loadPayors } from "../../lib/services/insurance/payors.ts";
import { checkBirthDate } from "../../lib/services/users/check-birth-date.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "createInsurance",
  method: "POST",
  path: "/v2/user/{user_id}/insurance",
  tag: "insurance",
  summary: "Create an insurance of a user",
  description: [
    "Stores an insurance of a user, which later orders with `billing_type` `commercial_insurance` bill.",
    "The user needs user info first; without it, the response is `not_possible`.",
    "`payor_code` comes from the payor search, or from `POST /v3/payor`; an unknown code returns 422.",
    "The service copies name and address of the payor into `company`.",
    "Each call stores another insurance and replaces none, so a repeated call stores it twice.",
    "The service sends no event about it.",
  ],
  auth: "team",
  feature: "insurance",
  params: userParams,
  query: noFields,
  body: insuranceDraft,
  response: wireInsurance,
  errors: [UserNotFound, NotPossible],
  access: [conditionCheckItem(users), conditionCheckItem(userInfos), getItem(payors), putItem(insurances)],
});

export const handler = implement(contract, async ({ scope, params: { user_id }, body }, deps) => {
  const { users, userInfos, insurances, payors, commit } = deps;
  checkBirthDate(["body", "insured"], body.insured.dob);
  const listed = (await loadPayors()).find(({ payor_code }) => payor_code === body.payor_code);
  const payor = listed ?? (await payors.get(scope, body.payor_code));
  if (!payor)
    throw ValidationFailed.at(
      ["body", "payor_code"],
      "No payor has this code. Search for the payor or create it first",
    );
  const company = { name: payor.name, address: payor.org_address };
  const insurance: Insurance = { id: ports().ids.uuid(), created_at: isoNow(), ...body, company };
  const items = [
    users.requireActiveItem(scope, user_id),
    userInfos.checkExistsItem(scope, user_id),
    insurances.createItem(scope, user_id, insurance),
  ];
  await explainConditionFailed(commit(items), (failure) =>
    failure.items.has(0) ? new UserNotFound() : new NotPossible("Store the user info of this user first."),
  );
  return insurance;
});
