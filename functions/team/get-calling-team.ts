import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { destinations } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toCallingTeam, wireCallingTeam } from "../../lib/domain/management/calling-team.ts";
import { ownTeamParams, requireOwnTeam } from "../../lib/runtime/callers/own-team.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getCallingTeam",
  method: "GET",
  path: "/v2/team/{team_id}",
  tag: "team",
  summary: "Retrieve the calling team",
  description: [
    "Returns your own team with its settings, for example to check which team an API key belongs to.",
    "`configuration` shows its event destination too: `eds_preferences` and `event_type_prefixes`.",
    "The `team_id` must be that of the key; any other answers `not_found`.",
    "The settings can be changed only through the management API; keys and secrets do not appear.",
  ],
  auth: "team",
  params: ownTeamParams,
  query: noFields,
  response: wireCallingTeam,
  errors: [NotFound],
  access: [getItem(destinations)],
});

export const handler = implement(contract, async ({ team, scope, params }, { destinations }) => {
  requireOwnTeam(params, team);
  return toCallingTeam(team, await destinations.get(scope));
});
