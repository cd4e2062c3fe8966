import * as z from "zod";
import { deleteItem, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { fhirClients, teams } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { requireTeamScopeInAnyEnvironment } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "deleteFhirClient",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}/fhir_client/{client_id}",
  tag: "management-keys",
  summary: "Delete a SMART client",
  description: [
    "Deletes a SMART client of a team, which gets no access token from then on.",
    "Its last token ends within five minutes.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    team_id: z.guid().toLowerCase(),
    client_id: z.string().max(100).meta({ description: "Id of the client" }),
  }),
  query: noFields,
  response: successResponse,
  errors: [NotFound],
  access: [getItem(teams), deleteItem(fhirClients)],
});

export const handler = implement(contract, async ({ key, params }, { teams, fhirClients }) => {
  const scope = await requireTeamScopeInAnyEnvironment(teams, { key, params });
  if (!(await fhirClients.delete(scope, params.client_id))) throw new NotFound("There is no client with this id.");
  return { success: true };
});
