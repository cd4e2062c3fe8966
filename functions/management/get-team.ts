import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { environments } from "../../lib/domain/management/records.ts";
import { toWireTeam, wireTeam } from "../../lib/domain/management/wire-team.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getTeam",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}",
  tag: "management",
  summary: "Retrieve a team",
  description: [
    "Returns a team, with its settings only for the environments in `include_environment`.",
    "The deployment serves one environment: the settings of the other one are always null.",
    "A team in its grace period returns `not_found`.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: z.object({
    include_environment: z.array(z.enum(environments)).nullish().describe("Environments with settings in the response"),
  }),
  response: wireTeam,
  errors: [NotFound],
  access: [getItem(teams)],
});

export const handler = implement(contract, async ({ key, params, query }, { teams }) => {
  const team = await requireTeam(teams, key, params.org_id, params.team_id);
  return toWireTeam(team, deployment().environment, query.include_environment ?? []);
});
