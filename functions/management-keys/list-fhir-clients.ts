import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { fhirClients, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireFhirClient, wireFhirClient } from "../../lib/domain/fhir/smart/fhir-client.ts";
import { requireTeamScopeInAnyEnvironment } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "listFhirClients",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/fhir_client",
  tag: "management-keys",
  summary: "List the SMART clients of a team",
  description: ["Returns all SMART clients of a team with their scopes and the ids of their keys."],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: z.object({ clients: z.array(wireFhirClient) }).meta({ id: "FhirClientList" }),
  errors: [NotFound],
  access: [getItem(teams), queryItems(fhirClients)],
});

export const handler = implement(contract, async ({ key, params }, { teams, fhirClients }) => {
  const scope = await requireTeamScopeInAnyEnvironment(teams, { key, params });
  return { clients: (await fhirClients.list(scope)).map(toWireFhirClient) };
});
