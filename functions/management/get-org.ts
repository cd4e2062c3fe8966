import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orgs } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOrg } from "../../lib/domain/management/records.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getOrg",
  method: "GET",
  path: "/v1/org/{org_id}",
  tag: "management",
  summary: "Retrieve an organization",
  description: [
    "Returns the organisation of the management key.",
    "`expires_at` is always null, because no organisation has a plan that expires.",
    "Another organisation returns `not_found`, as an unknown one does.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: noFields,
  response: wireOrg,
  errors: [NotFound],
  access: [getItem(orgs)],
});

export const handler = implement(contract, async ({ params }, { orgs }) => {
  const org = await orgs.get(params.org_id);
  if (!org) throw new NotFound("There is no organization with this id.");
  return { id: org.org_id, name: org.name, expires_at: null };
});
