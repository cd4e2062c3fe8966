import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireLabAccount, wireLabAccountAnswer } from "../../lib/domain/lab-tests/lab-account.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireOrgAdmin } from "../../lib/runtime/callers/management-access.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getLabAccount",
  method: "GET",
  path: "/v1/org/{org_id}/lab_account/{env}/{region}/{account_id}",
  tag: "management-labs",
  summary: "Retrieve a lab account",
  description: [
    "Returns one lab account of the organisation, with the teams on its allowlist.",
    "Platform accounts are not found here: `GET /v3/lab_test/lab_account` lists those that a team can use.",
    "An unknown account, and one of another organisation, return `not_found`.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
    account_id: z.guid().toLowerCase(),
  }),
  query: noFields,
  response: wireLabAccountAnswer,
  errors: [Forbidden, NotFound],
  access: [getItem(labAccounts)],
});

export const handler = implement(contract, async ({ key, params }, { labAccounts }) => {
  requireOrgAdmin(key, params.org_id);
  const lab_account = await labAccounts.get(params.org_id, params.account_id);
  if (!lab_account) throw new NotFound("There is no lab account with this id.");
  return { lab_account: toWireLabAccount(lab_account) };
});
