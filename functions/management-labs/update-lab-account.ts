import * as z from "zod";
import { get, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labAccounts, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import { wireLabAccountAnswer } from "../../lib/domain/lab-tests/lab-account.ts";
import { changesOf, labAccountPatch } from "../../lib/domain/lab-tests/lab-account-draft.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireOrgAdmin, requireServed } from "../../lib/runtime/management.ts";
import { requireOwn } from "../../lib/runtime/own-lab-accounts.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Changes a lab account: the teams on its allowlist, its status, and the data that its orders print. */
export const contract = endpoint({
  operationId: "updateLabAccount",
  method: "PATCH",
  path: "/v1/org/{org_id}/lab_account/{env}/{region}/{account_id}",
  tag: "management-labs",
  summary: "Update a lab account",
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments),
    region: z.enum(regions),
    account_id: z.guid().toLowerCase(),
  }),
  query: nothing,
  body: labAccountPatch,
  response: wireLabAccountAnswer,
  errors: [Forbidden, NotFound],
  access: [get(teams), update(labAccounts)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, labAccounts }) => {
  requireServed(params);
  requireOrgAdmin(key, params.org_id);
  await requireOwn(teams, key, params.org_id, body);
  try {
    return { lab_account: await labAccounts.change(params.org_id, params.account_id, changesOf(body)) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new NotFound("There is no lab account with this id.", { cause: error });
  }
});
