import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { physicians } from "../../lib/contract/resources.ts";
import { physician } from "../../lib/domain/orders/wire-order.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ownTeamParams, requireOwnTeam } from "../../lib/runtime/team/own-team.ts";

/** Lists the physicians of the team's orders, each NPI once. */
export const contract = endpoint({
  operationId: "getPhysicians",
  method: "GET",
  path: "/v2/team/{team_id}/physicians",
  tag: "team",
  summary: "List the physicians of the team",
  auth: "team",
  keyScope: "labs",
  params: ownTeamParams,
  query: nothing,
  response: z.array(physician),
  errors: [NotFound],
  access: [query(physicians)],
});

export const handler = implement(contract, async ({ scope, team, params }, { physicians }) => {
  requireOwnTeam(params, team);
  return physicians.list(scope);
});
