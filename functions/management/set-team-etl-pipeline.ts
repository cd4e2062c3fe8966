import * as z from "zod";
import { get, put, seal } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { credentialsKey, destinations, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import {
  credentialsContext,
  destinationDraft,
  toWireDestination,
  wireDestination,
} from "../../lib/events/team-destination.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { reachableEventHub } from "../../lib/runtime/event-hub-egress.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireServed, requireTeam } from "../../lib/runtime/management.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sets where the events of teams are sent besides their webhook endpoints; holds for events told from then on. */
export const contract = endpoint({
  operationId: "setTeamEtlPipeline",
  method: "POST",
  path: "/v1/org/{org_id}/team_etl_pipelines/{env}/{region}",
  tag: "management",
  summary: "Set the event destination of teams",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: nothing,
  body: destinationDraft,
  response: z.object({ team_etl_pipelines: z.array(wireDestination) }).meta({ id: "TeamEtlPipelines" }),
  errors: [NotFound],
  access: [get(teams), put(destinations), seal(credentialsKey)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, destinations, credentials }) => {
  requireServed(params);
  const { team_ids, azure_amqp, ...settings } = body;
  for (const id of team_ids) await requireTeam(teams, key, params.org_id, id);
  const endpoint = azure_amqp && (await reachableEventHub(azure_amqp.connection_string));
  const updated_at = isoNow();
  const destinationOf = async (team_id: string) => {
    if (!azure_amqp || endpoint === undefined) return { ...settings, team_id, updated_at, azure_amqp: null };
    const { connection_string, ...hub } = azure_amqp;
    const sealed_connection_string = await credentials.seal(connection_string, credentialsContext(team_id));
    return { ...settings, team_id, updated_at, azure_amqp: { ...hub, endpoint, sealed_connection_string } };
  };
  const all = await Promise.all([...new Set(team_ids)].map(destinationOf));
  await Promise.all(all.map((one) => destinations.set(TeamScope.grant(one.team_id), one)));
  return { team_etl_pipelines: all.map(toWireDestination) };
});
