import * as z from "zod";
import { getItem, putItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { fhirClients, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  fhirClientDraft,
  MAX_CLIENTS,
  toClientId,
  toWireFhirClient,
  wireFhirClient,
} from "../../lib/domain/fhir/smart/fhir-client.ts";
import { requireTeamScopeInAnyEnvironment } from "../../lib/runtime/callers/team-path.ts";
import { EgressRefused, resolveForEgress } from "../../lib/runtime/egress.ts";
import { NotFound, QuotaReached, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

export const contract = endpoint({
  operationId: "createFhirClient",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/fhir_client",
  tag: "management-keys",
  summary: "Register a SMART client of a team",
  description: [
    "Registers a backend service that reads the FHIR interface of a team by SMART Backend Services.",
    "It has public keys, in `jwks` or at `jwks_url`, and the scopes that its access tokens can have.",
    "The service reads `jwks_url` again after five minutes, and for a key that it does not know.",
    "A team has at most 50 clients. To change one, register another.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  body: fhirClientDraft,
  response: wireFhirClient,
  errors: [NotFound, QuotaReached],
  access: [getItem(teams), queryItems(fhirClients), putItem(fhirClients)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, fhirClients }) => {
  const scope = await requireTeamScopeInAnyEnvironment(teams, { key, params });
  const { jwks, jwks_url, label } = body;
  if (jwks_url) await requireKeyAddress(jwks_url);
  if ((await fhirClients.list(scope)).length >= MAX_CLIENTS)
    throw new QuotaReached(`A team has at most ${MAX_CLIENTS} SMART clients.`);
  const client = {
    client_id: toClientId(scope.teamId, ports().ids.uuid()),
    team_id: scope.teamId,
    ...{ label, scopes: [...new Set(body.scopes)], created_at: isoNow(), made_by: key.key_id },
    ...(jwks ? { jwks } : {}),
    ...(jwks_url ? { jwks_url } : {}),
  };
  await fhirClients.create(scope, client);
  return toWireFhirClient(client);
});

async function requireKeyAddress(url: string): Promise<void> {
  try {
    await resolveForEgress(new URL(url));
  } catch (error) {
    const reason = error instanceof EgressRefused ? error.message : "the host cannot be resolved";
    throw ValidationFailed.at(["body", "jwks_url"], `Keys cannot be read from this URL: ${reason}`);
  }
}
