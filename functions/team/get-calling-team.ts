import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { toCallingTeam, wireCallingTeam } from "../../lib/domain/calling-team.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ownTeamParams, requireOwnTeam } from "../../lib/runtime/team/own-team.ts";

/** Returns the calling team with its settings. */
export const contract = endpoint({
  operationId: "getCallingTeam",
  method: "GET",
  path: "/v2/team/{team_id}",
  tag: "team",
  summary: "Retrieve the calling team",
  auth: "team",
  params: ownTeamParams,
  query: nothing,
  response: wireCallingTeam,
  errors: [NotFound],
  access: [],
});

export const handler = implement(contract, async ({ team, params }) => {
  requireOwnTeam(params, team);
  return toCallingTeam(team);
});
