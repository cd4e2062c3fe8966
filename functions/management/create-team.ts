import * as z from "zod";
import { put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams } from "../../lib/contract/resources.ts";
import { regions, teamName, wireTeam } from "../../lib/domain/identity.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireOrgAdmin } from "../../lib/runtime/management.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Creates a team in the region that this deployment serves; every opt-in and beta feature is off at first. */
export const contract = endpoint({
  operationId: "createTeam",
  method: "POST",
  path: "/v1/org/{org_id}/team",
  tag: "management",
  summary: "Create a team",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: nothing,
  body: z.object({ name: teamName, region: z.enum(regions), id: z.guid().toLowerCase().nullish() }),
  response: wireTeam,
  errors: [Forbidden, NotFound, Conflict],
  access: [put(teams)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, commit }) => {
  requireOrgAdmin(key, params.org_id);
  if (body.region !== deployment().region) {
    throw ValidationFailed.at(["body", "region"], "This deployment serves another region");
  }
  const team_id = body.id ?? ports().ids.uuid();
  const { name, region } = body;
  const team = { team_id, org_id: params.org_id, name, region, created_on: isoNow(), features: [] };
  try {
    await commit(teams.createItems(team));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict({ team_id, message: "A team with this id exists." });
  }
  return { id: team_id, name, region, created_on: team.created_on };
});
