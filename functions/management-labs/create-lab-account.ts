import * as z from "zod";
import { getItem, putItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, quotas, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireLabAccount, wireLabAccountAnswer } from "../../lib/domain/lab-tests/lab-account.ts";
import {
  labAccountDraft,
  MAX_LAB_ACCOUNTS_PER_ORG,
  newLabAccount,
} from "../../lib/domain/lab-tests/lab-account-draft.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireOrgAdmin } from "../../lib/runtime/callers/management-access.ts";
import { Conflict, Forbidden, NotFound, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { checkLabAccountInput, labAccountId } from "../../lib/services/lab-tests/check-lab-account-input.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "createLabAccount",
  method: "POST",
  path: "/v1/org/{org_id}/lab_account/{env}/{region}",
  tag: "management-labs",
  summary: "Create a lab account",
  description: [
    "Registers an account that the organisation has at a laboratory, and names the teams that may order under it.",
    "In production the account starts as `pending` or `suspended`, until the operator of the deployment activates it.",
    "In a sandbox it has any status, by default `active`; in production another one returns `forbidden`.",
    "Laboratory and number identify the account: the same pair again returns `conflict`.",
    "An organisation can have 100 accounts, and then gets `quota_reached`. No route deletes one: suspend it instead.",
    "`allowed_billing` allows `client_bill` in all states and other places by default; the response lists states alone.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: noFields,
  body: labAccountDraft,
  response: wireLabAccountAnswer,
  status: 201,
  errors: [Forbidden, NotFound, Conflict, QuotaReached],
  access: [getItem(teams), putItem(labAccounts), updateItem(quotas)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, labAccounts, quotas, commit }) => {
  requireOrgAdmin(key, params.org_id);
  await checkLabAccountInput(teams, key, params.org_id, body);
  const owned = { id: labAccountId(params.org_id, body), org_id: params.org_id };
  const lab_account = newLabAccount(owned, body, params.env);
  const items = [
    labAccounts.createItem(params.org_id, lab_account),
    quotas.reserveLabAccountItem(params.org_id, MAX_LAB_ACCOUNTS_PER_ORG),
  ];
  await explainConditionFailed(commit(items), (failure) =>
    failure.items.has(0)
      ? new Conflict("An account with this number at this laboratory already exists.")
      : new QuotaReached(`An organization may have at most ${MAX_LAB_ACCOUNTS_PER_ORG} lab accounts.`),
  );
  return { lab_account: toWireLabAccount(lab_account) };
});
