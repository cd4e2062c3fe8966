import * as z from "zod";
import { update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { orgs } from "../../lib/contract/resources.ts";
import { teamName, wireOrg } from "../../lib/domain/identity.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Changes the name of an organisation. Names follow the rules of team names. */
export const contract = endpoint({
  operationId: "updateOrg",
  method: "PATCH",
  path: "/v1/org/{org_id}",
  tag: "management",
  summary: "Update an organization",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: nothing,
  body: z.object({ name: teamName }),
  response: wireOrg,
  errors: [NotFound],
  access: [update(orgs)],
});

export const handler = implement(contract, async ({ params, body }, { orgs }) => {
  try {
    const { org_id, name } = await orgs.rename(params.org_id, body.name);
    return { id: org_id, name, expires_at: null };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new NotFound("There is no organization with this id.", { cause: error });
  }
});
