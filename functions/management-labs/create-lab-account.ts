import * as z from "zod";
import { get, put, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labAccounts, quotas, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import { wireLabAccountAnswer } from "../../lib/domain/lab-tests/lab-account.ts";
import { labAccountDraft, MOST_ACCOUNTS, newLabAccount } from "../../lib/domain/lab-tests/lab-account-draft.ts";
import { Conflict, Forbidden, NotFound, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireOrgAdmin, requireServed } from "../../lib/runtime/management.ts";
import { labAccountId, requireOwn } from "../../lib/runtime/own-lab-accounts.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/**
 * Registers an account of the organisation at a laboratory. An account number is unique at its laboratory within the
 * organisation.
 */
export const contract = endpoint({
  operationId: "createLabAccount",
  method: "POST",
  path: "/v1/org/{org_id}/lab_account/{env}/{region}",
  tag: "management-labs",
  summary: "Create a lab account",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: nothing,
  body: labAccountDraft,
  response: wireLabAccountAnswer,
  status: 201,
  errors: [Forbidden, NotFound, Conflict, QuotaReached],
  access: [get(teams), put(labAccounts), update(quotas)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, labAccounts, quotas, commit }) => {
  requireServed(params);
  requireOrgAdmin(key, params.org_id);
  await requireOwn(teams, key, params.org_id, body);
  const owned = { id: labAccountId(params.org_id, body), org_id: params.org_id };
  const lab_account = newLabAccount(owned, body, params.env);
  const items = [
    labAccounts.createItem(params.org_id, lab_account),
    quotas.takeLabAccountItem(params.org_id, MOST_ACCOUNTS),
  ];
  await commit(items).catch((error) => {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.items.has(0)) throw new Conflict("An account with this number at this laboratory already exists.");
    throw new QuotaReached(`An organization may have at most ${MOST_ACCOUNTS} lab accounts.`);
  });
  return { lab_account };
});
