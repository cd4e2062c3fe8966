import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireTeamLimits, wireTeamLimits } from "../../lib/domain/usage/team-limits.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { defaultLimits } from "../../lib/runtime/deployment.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getTeamLimits",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/limits",
  tag: "management",
  summary: "Retrieve the limits of a team",
  description: [
    "Returns the limits of a team for requests per second, work units per second and users.",
    "`is_default` marks a limit of the deployment, which the team does not override; null means unlimited.",
    "A `team_admin` key can read the limits, but only an `org_admin` key can set them.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: wireTeamLimits,
  errors: [NotFound],
  access: [getItem(teams)],
});

export const handler = implement(contract, async ({ key, params }, { teams }) => {
  const team = await requireTeam(teams, key, params.org_id, params.team_id);
  return toWireTeamLimits(team.team_id, team.limits, defaultLimits());
});
