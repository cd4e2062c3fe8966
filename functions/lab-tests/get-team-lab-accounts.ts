import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { availableLabAccounts } from "../../lib/domain/lab-tests/account-resolution.ts";
import { labAccountStatuses, toWireLabAccount, wireLabAccount } from "../../lib/domain/lab-tests/lab-account.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listLinkedAccounts } from "../../lib/services/lab-tests/lab-accounts.ts";

export const contract = endpoint({
  operationId: "getTeamLabAccounts",
  method: "GET",
  path: "/v3/lab_test/lab_account",
  tag: "lab-tests",
  summary: "List the lab accounts of the team",
  description: [
    "Lists the lab accounts under which the team can order, with the states of each billing type.",
    "These are the accounts of the organisation that allow the team, in any status.",
    "At each lab without such an account, the platform's account is listed instead, with `org_id` null.",
    "Orders need an `active` account; imports also accept a `pending` one.",
    "The list has no pages, and an unknown `lab_account_id` yields an empty list.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    lab_account_id: z.guid().toLowerCase().nullish(),
    status: z.enum(labAccountStatuses).nullish(),
  }),
  response: z.object({ data: z.array(wireLabAccount) }).meta({ id: "TeamLabAccounts" }),
  access: [queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ team, query: { lab_account_id, status } }, { labAccounts }) => {
  const accounts = availableLabAccounts(await listLinkedAccounts(labAccounts, team));
  const data = accounts.filter(
    (account) => (!lab_account_id || account.id === lab_account_id) && (!status || account.status === status),
  );
  return { data: data.map(toWireLabAccount) };
});
