import type { Envelopes } from "../crypto/envelope.ts";
import type { EventReference } from "../events/envelope.ts";
import { credentialsContext, type EventHubDestination, hubFor } from "../events/team-destination.ts";
import type { DestinationStore } from "../store/destinations.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { type HubEvent, sendToEventHub } from "./event-hub.ts";
import { bodiesOf, type ForwardUses } from "./forwarding.ts";

interface TeamForwardUses extends ForwardUses {
  readonly destinations: DestinationStore;
  readonly credentials: Envelopes;
}

/** A message with an event, and the failure of one. */
interface Carrier {
  readonly message: EventReference;
}
interface Failure<D> {
  readonly delivery: D;
  readonly error: unknown;
}

/** Sends events to the destinations of their teams, where these have one that wants them. @returns the messages that failed. */
export async function forwardToTeams<D extends Carrier>(
  deliveries: readonly D[],
  grant: (teamId: string) => TeamScope,
  uses: TeamForwardUses,
): Promise<Failure<D>[]> {
  const byTeam = Map.groupBy(deliveries, ({ message }) => message.team_id);
  const failures = await Promise.all(
    [...byTeam].map(([teamId, some]) =>
      forwardToTeam(some, grant(teamId), uses).catch((error) => some.map((delivery) => ({ delivery, error }))),
    ),
  );
  return failures.flat();
}

async function forwardToTeam<D extends Carrier>(
  deliveries: readonly D[],
  scope: TeamScope,
  uses: TeamForwardUses,
): Promise<Failure<D>[]> {
  const destination = await uses.destinations.get(scope);
  if (!destination?.azure_amqp) return [];
  const wanted = deliveries.flatMap((delivery) => {
    const hub = hubFor(destination, delivery.message.type);
    return hub === undefined ? [] : [{ delivery, hub }];
  });
  if (wanted.length === 0) return [];
  const events = wanted.map(({ delivery }) => delivery.message);
  const bodies = await bodiesOf(events, () => scope, uses);
  const outgoing = new Map<HubEvent, D>();
  for (const { delivery, hub } of wanted) {
    const body = bodies.get(delivery.message.event_id);
    if (body !== undefined) outgoing.set({ event: delivery.message, body, hub }, delivery);
  }
  const failed = await send(destination.azure_amqp, scope, [...outgoing.keys()], uses.credentials);
  return [...failed].map(([event, error]) => ({ delivery: outgoing.get(event) as D, error }));
}

async function send(
  { sealed_connection_string, compression }: EventHubDestination,
  { teamId }: TeamScope,
  events: readonly HubEvent[],
  credentials: Envelopes,
) {
  if (events.length === 0) return new Map<HubEvent, unknown>();
  const connectionString = await credentials.open(sealed_connection_string, credentialsContext(teamId));
  return sendToEventHub(connectionString, compression, events);
}
