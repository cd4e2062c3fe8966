import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { physicians } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wirePhysician } from "../../lib/domain/orders/wire-order.ts";
import { ownTeamParams, requireOwnTeam } from "../../lib/runtime/callers/own-team.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getPhysicians",
  method: "GET",
  path: "/v2/team/{team_id}/physicians",
  tag: "team",
  summary: "List the physicians of the team",
  description: [
    "Returns the physicians whom your team has named in orders, each NPI once.",
    "An order adds its physician; no route adds or removes one.",
    "The `team_id` must be that of the key; any other answers `not_found`.",
  ],
  auth: "team",
  keyScope: "labs",
  params: ownTeamParams,
  query: noFields,
  response: z.array(wirePhysician),
  errors: [NotFound],
  access: [queryItems(physicians)],
});

export const handler = implement(contract, async ({ scope, team, params }, { physicians }) => {
  requireOwnTeam(params, team);
  return physicians.list(scope);
});
