import type { EnvelopeEncryption } from "../../crypto/envelope-encryption.ts";
import type { BrokerKind } from "../../domain/management/destination-kinds.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import {
  acceptsEventType,
  destinationSecretContext,
  enabledBrokers,
  type TeamDestination,
} from "../../events/forwarding/team-destination.ts";
import type { Log } from "../../runtime/log.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import type { DestinationStore } from "../../store/forwarding/destinations.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type BrokerEvent, failAll, type SendFailures } from "./broker-event.ts";
import { brokerSenders } from "./broker-senders.ts";
import { type ForwardEventsDependencies, readForwardableBodies, recordForward } from "./forward-events.ts";

type ForwardToTeamsDependencies = ForwardEventsDependencies & {
  readonly outbox: Pick<OutboxStore, "getBodies" | "getCreationTimes">;
  readonly destinations: Pick<DestinationStore, "get">;
  readonly credentials: Pick<EnvelopeEncryption, "decrypt">;
};

/** A message with the reference of an event. */
interface EventDelivery {
  readonly message: EventReference;
  readonly log: Log;
}
interface Failure<D> {
  readonly delivery: D;
  readonly error: unknown;
}

/**
 * Sends events to the brokers of their teams that subscribe to them. @returns the messages that failed at the preferred
 * broker. Failures at any other broker are only logged: it exists for migrations and gets no retries.
 */
export async function forwardToTeams<D extends EventDelivery>(
  deliveries: readonly D[],
  grant: (teamId: string) => TeamScope,
  deps: ForwardToTeamsDependencies,
): Promise<Failure<D>[]> {
  const byTeam = Map.groupBy(deliveries, ({ message }) => message.team_id);
  const failures = await Promise.all(
    [...byTeam].map(([teamId, some]) =>
      forwardToTeam(some, grant(teamId), deps).catch((error) => some.map((delivery) => ({ delivery, error }))),
    ),
  );
  return failures.flat();
}

async function forwardToTeam<D extends EventDelivery>(
  deliveries: readonly D[],
  scope: TeamScope,
  deps: ForwardToTeamsDependencies,
): Promise<Failure<D>[]> {
  const destination = await deps.destinations.get(scope);
  const wanted = deliveries.filter(({ message }) => destination && acceptsEventType(destination, message.type));
  if (!destination || wanted.length === 0) return [];
  const outgoing = await toOutgoing(wanted, scope, deps);
  const brokers = enabledBrokers(destination);
  const forwards = brokers.flatMap((kind) => [...outgoing.keys()].map(({ event }) => ({ event, kind })));
  await Promise.all(forwards.map(({ event, kind }) => recordForward("forwardToTeam", event, kind, scope, deps)));
  const failures = await Promise.all(
    brokers.map(async (kind) => {
      const failed = await send(kind, destination, scope, [...outgoing.keys()], deps);
      return [...failed].flatMap(([event, error]) => {
        const delivery = outgoing.get(event) as D;
        if (kind === destination.preferences.preferred) return { delivery, error };
        delivery.log.error("event not accepted by a secondary broker", error, { broker: kind });
        return [];
      });
    }),
  );
  return failures.flat();
}

/** Pairs deliveries with the bodies of events that may be forwarded. */
async function toOutgoing<D extends EventDelivery>(
  deliveries: readonly D[],
  scope: TeamScope,
  deps: ForwardToTeamsDependencies,
) {
  const events = deliveries.map(({ message }) => message);
  const bodies = await readForwardableBodies(events, () => scope, deps);
  const outgoing = new Map<BrokerEvent, D>();
  for (const delivery of deliveries) {
    const body = bodies.get(eventIdentityKey(delivery.message));
    if (body !== undefined) outgoing.set({ event: delivery.message, body }, delivery);
  }
  return outgoing;
}

async function send(
  kind: BrokerKind,
  destination: TeamDestination,
  { teamId }: TeamScope,
  events: readonly BrokerEvent[],
  { credentials, outbox }: ForwardToTeamsDependencies,
): Promise<SendFailures> {
  const sealed = destination.sealed[kind];
  if (events.length === 0 || sealed === undefined) return new Map();
  try {
    const secrets = await credentials.decrypt(sealed, destinationSecretContext(teamId, kind));
    return await brokerSenders[kind](destination, JSON.parse(secrets), events, outbox);
  } catch (error) {
    return failAll(events, error);
  }
}
