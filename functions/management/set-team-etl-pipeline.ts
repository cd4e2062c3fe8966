import * as z from "zod";
import { generateDataKey, getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { credentialsKey, destinations, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { brokerKinds } from "../../lib/domain/management/destination-kinds.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import {
  destinationDraft,
  destinationSecretContext,
  splitDestinationSecrets,
  toWireDestination,
  wireDestination,
} from "../../lib/events/forwarding/team-destination.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { requireReachableBrokers } from "../../lib/services/forwarding/broker-egress.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

export const contract = endpoint({
  operationId: "setTeamEtlPipeline",
  method: "POST",
  path: "/v1/org/{org_id}/team_etl_pipelines/{env}/{region}",
  tag: "management",
  summary: "Set the event destination of teams",
  description: [
    "Sets the brokers that receive events of up to 50 teams, besides their webhook endpoints.",
    "It replaces the former destination of each team, secrets included, so send all secrets each time.",
    "It applies to later events. `event_type_prefixes` selects them, and null selects all.",
    "Failed events to the `preferred` kind are retried, and to other enabled kinds only logged.",
    "With `push_historical_data`, data of histories also arrives as `daily.data.*` events, at webhooks too.",
    "Each host must be on the public internet; another one returns 422.",
    "Teams are written independently: after an error, repeat the call.",
  ],
  auth: "management",
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: noFields,
  body: destinationDraft,
  response: z.object({ pipelines: z.array(wireDestination) }).meta({ id: "TeamEtlPipelines" }),
  errors: [NotFound],
  access: [getItem(teams), putItem(destinations), generateDataKey(credentialsKey, "destination")],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, destinations, credentials }) => {
  for (const id of body.team_ids) await requireTeam(teams, key, params.org_id, id);
  await requireReachableBrokers(body);
  const { open, secrets } = splitDestinationSecrets(body);
  const sealFor = async (team_id: string) => {
    const sealing = brokerKinds
      .filter((kind) => secrets[kind])
      .map(async (kind) => [
        kind,
        await credentials.encrypt(JSON.stringify(secrets[kind]), destinationSecretContext(team_id, kind)),
      ]);
    const sealed = Object.fromEntries(await Promise.all(sealing));
    return { ...open, team_id, updated_at: isoNow(), sealed };
  };
  const all = await Promise.all([...new Set(body.team_ids)].map(sealFor));
  await Promise.all(all.map((one) => destinations.put(TeamScope.grant(one.team_id), one)));
  return { pipelines: all.map(toWireDestination) };
});
