import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toCallingTeam, wireCallingTeam } from "../../lib/domain/management/calling-team.ts";
import { ownTeamParams, requireOwnTeam } from "../../lib/runtime/callers/own-team.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Returns the calling team with its settings. */
export const contract = endpoint({
  operationId: "getCallingTeam",
  method: "GET",
  path: "/v2/team/{team_id}",
  tag: "team",
  summary: "Retrieve the calling team",
  auth: "team",
  params: ownTeamParams,
  query: noFields,
  response: wireCallingTeam,
  errors: [NotFound],
  access: [],
});

export const handler = implement(contract, async ({ team, params }) => {
  requireOwnTeam(params, team);
  return toCallingTeam(team);
});
