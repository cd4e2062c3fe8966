import * as z from "zod";
import { get, put, seal } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { credentialsKey, destinations, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import {
  brokerKinds,
  credentialsContext,
  destinationDraft,
  partDestination,
  toWireDestination,
  wireDestination,
} from "../../lib/events/team-destination.ts";
import { requireReachable } from "../../lib/runtime/broker-egress.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireServed, requireTeam } from "../../lib/runtime/management.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sets the destination to which events of teams are sent besides their webhook endpoints. Applies to later events. */
export const contract = endpoint({
  operationId: "setTeamEtlPipeline",
  method: "POST",
  path: "/v1/org/{org_id}/team_etl_pipelines/{env}/{region}",
  tag: "management",
  summary: "Set the event destination of teams",
  auth: "management",
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: nothing,
  body: destinationDraft,
  response: z.object({ pipelines: z.array(wireDestination) }).meta({ id: "TeamEtlPipelines" }),
  errors: [NotFound],
  access: [get(teams), put(destinations), seal(credentialsKey, "destination")],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, destinations, credentials }) => {
  requireServed(params);
  for (const id of body.team_ids) await requireTeam(teams, key, params.org_id, id);
  await requireReachable(body);
  const { open, secrets } = partDestination(body);
  const sealFor = async (team_id: string) => {
    const sealing = brokerKinds
      .filter((kind) => secrets[kind])
      .map(async (kind) => [
        kind,
        await credentials.seal(JSON.stringify(secrets[kind]), credentialsContext(team_id, kind)),
      ]);
    const sealed = Object.fromEntries(await Promise.all(sealing));
    return { ...open, team_id, updated_at: isoNow(), sealed };
  };
  const all = await Promise.all([...new Set(body.team_ids)].map(sealFor));
  await Promise.all(all.map((one) => destinations.set(TeamScope.grant(one.team_id), one)));
  return { pipelines: all.map(toWireDestination) };
});
