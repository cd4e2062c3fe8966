import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireLabAccount, wireLabAccount } from "../../lib/domain/lab-tests/lab-account.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireOrgAdmin } from "../../lib/runtime/callers/management-access.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "listLabAccounts",
  method: "GET",
  path: "/v1/org/{org_id}/lab_account/{env}/{region}",
  tag: "management-labs",
  summary: "List the lab accounts of an organization",
  description: [
    "Lists all lab accounts of the organisation in one response, in every status.",
    "An organisation has at most 100, so the list has no pages.",
    "Platform accounts are not in the list.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: noFields,
  response: z.object({ data: z.array(wireLabAccount) }).meta({ id: "LabAccounts" }),
  errors: [Forbidden, NotFound],
  access: [queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ key, params }, { labAccounts }) => {
  requireOrgAdmin(key, params.org_id);
  return { data: (await labAccounts.list(params.org_id)).map(toWireLabAccount) };
});
