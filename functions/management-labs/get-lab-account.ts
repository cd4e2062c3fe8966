import * as z from "zod";
import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import { wireLabAccountAnswer } from "../../lib/domain/lab-tests/lab-account.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireOrgAdmin, requireServed } from "../../lib/runtime/management.ts";

/** Returns one lab account of an organisation. */
export const contract = endpoint({
  operationId: "getLabAccount",
  method: "GET",
  path: "/v1/org/{org_id}/lab_account/{env}/{region}/{account_id}",
  tag: "management-labs",
  summary: "Retrieve a lab account",
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments),
    region: z.enum(regions),
    account_id: z.guid().toLowerCase(),
  }),
  query: nothing,
  response: wireLabAccountAnswer,
  errors: [Forbidden, NotFound],
  access: [get(labAccounts)],
});

export const handler = implement(contract, async ({ key, params }, { labAccounts }) => {
  requireServed(params);
  requireOrgAdmin(key, params.org_id);
  const lab_account = await labAccounts.get(params.org_id, params.account_id);
  if (!lab_account) throw new NotFound("There is no lab account with this id.");
  return { lab_account };
});
