import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { scopeRequirements, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  toWireScopeRequirements,
  wireScopeRequirements,
} from "../../lib/domain/connections/providers/scope-requirements.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScopes } from "../../lib/services/management/team-scopes.ts";

export const contract = endpoint({
  operationId: "getScopeRequirements",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/scope_requirements",
  tag: "management-providers",
  summary: "Retrieve the scope requirements of a team",
  description: [
    "Returns the scopes that users must or may grant to a team, by provider and in order of provider.",
    "A provider without requirements of the team is not listed; the default scopes apply there.",
    "A team that never set requirements gets an empty list.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: wireScopeRequirements,
  errors: [NotFound],
  access: [getItem(teams), getItem(scopeRequirements)],
});

export const handler = implement(contract, async ({ key, params }, { teams, scopeRequirements }) => {
  const [scope] = await requireTeamScopes(teams, { key, params }, [params.team_id]);
  return toWireScopeRequirements(scope.teamId, (await scopeRequirements.get(scope)).providers);
});
