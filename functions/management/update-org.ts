import * as z from "zod";
import { updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orgs } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { teamName, wireOrg } from "../../lib/domain/management/records.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "updateOrg",
  method: "PATCH",
  path: "/v1/org/{org_id}",
  tag: "management",
  summary: "Update an organization",
  description: [
    "Changes the name of the organisation; its id stays.",
    "A name has at most 80 letters, digits and spaces, and these signs: `( ) , / : ' | & _ - ’`.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: noFields,
  body: z.object({ name: teamName }),
  response: wireOrg,
  errors: [NotFound],
  access: [updateItem(orgs)],
});

export const handler = implement(contract, async ({ params, body }, { orgs }) => {
  const { org_id, name } = await explainConditionFailed(
    orgs.rename(params.org_id, body.name),
    (cause) => new NotFound("There is no organization with this id.", { cause }),
  );
  return { id: org_id, name, expires_at: null };
});
