import * as z from "zod";
import { getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireLabAccount, wireLabAccountAnswer } from "../../lib/domain/lab-tests/lab-account.ts";
import { labAccountChanges, labAccountPatch } from "../../lib/domain/lab-tests/lab-account-draft.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireOrgAdmin } from "../../lib/runtime/callers/management-access.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { checkLabAccountInput } from "../../lib/services/lab-tests/check-lab-account-input.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "updateLabAccount",
  method: "PATCH",
  path: "/v1/org/{org_id}/lab_account/{env}/{region}/{account_id}",
  tag: "management-labs",
  summary: "Update a lab account",
  description: [
    "Changes the status, the allowlist of teams and the printed data of a lab account; absent fields stay as they are.",
    "Laboratory and account number are fixed: create another account instead.",
    "`team_id_allowlist` and `allowed_billing` replace the former lists.",
    "Responses list the 50 states alone: name other places, such as DC, again if the account allows them.",
    "In production only `pending` and `suspended` can be set, and another status returns `forbidden`.",
    "Orders that were placed before the change keep their account.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
    account_id: z.guid().toLowerCase(),
  }),
  query: noFields,
  body: labAccountPatch,
  response: wireLabAccountAnswer,
  errors: [Forbidden, NotFound],
  access: [getItem(teams), updateItem(labAccounts)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, labAccounts }) => {
  requireOrgAdmin(key, params.org_id);
  await checkLabAccountInput(teams, key, params.org_id, body);
  const lab_account = await explainConditionFailed(
    labAccounts.update(params.org_id, params.account_id, labAccountChanges(body)),
    (cause) => new NotFound("There is no lab account with this id.", { cause }),
  );
  return { lab_account: toWireLabAccount(lab_account) };
});
