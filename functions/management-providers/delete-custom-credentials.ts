import * as z from "zod";
import { deleteItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { customCredentials, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { idsToDelete, wireBulkDeletion } from "../../lib/domain/management/wire-key.ts";
import { deleteEach } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScopes } from "../../lib/services/management/team-scopes.ts";

export const contract = endpoint({
  operationId: "deleteCustomCredentials",
  method: "DELETE",
  path: "/v1/org/{org_id}/team_custom_credentials/{env}/{region}",
  tag: "management-providers",
  summary: "Delete custom credentials of a team",
  description: [
    "Deletes up to 50 credentials of a team's own provider applications.",
    "The provider applications of the deployment replace them, if it has any.",
    "The status is 200 even if some ids fail: read `success`, `failure` and `not_found`.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({
    team_id: z.guid().toLowerCase(),
    credential_id: idsToDelete.describe("Ids of up to 50 credentials"),
  }),
  response: wireBulkDeletion,
  errors: [NotFound],
  access: [getItem(teams), queryItems(customCredentials), deleteItem(customCredentials)],
});

export const handler = implement(contract, async ({ key, params, query, log }, { teams, customCredentials }) => {
  const [scope] = await requireTeamScopes(teams, { key, params }, [query.team_id]);
  const accessibleCredentials = new Map((await customCredentials.list(scope)).map((one) => [one.id, one]));
  return deleteEach(query.credential_id, accessibleCredentials, (one) => customCredentials.delete(scope, one), log);
});
