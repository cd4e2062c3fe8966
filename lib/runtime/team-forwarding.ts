import type { Envelopes } from "../crypto/envelope.ts";
import type { EventReference } from "../events/envelope.ts";
import {
  type BrokerKind,
  brokersOf,
  credentialsContext,
  isWanted,
  type TeamDestination,
} from "../events/team-destination.ts";
import type { DestinationStore } from "../store/destinations.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { eventName } from "../store/outbox-items.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { sendTo } from "./brokers.ts";
import { bodiesOf, type ForwardUses, noteForward } from "./forwarding.ts";
import type { Log } from "./log.ts";
import { allFailed, type Failures, type TeamEvent } from "./team-event.ts";

interface TeamForwardUses extends ForwardUses {
  readonly outbox: Pick<OutboxStore, "bodies" | "writtenAt">;
  readonly destinations: Pick<DestinationStore, "get">;
  readonly credentials: Pick<Envelopes, "open">;
}

/** A message with the reference of an event. */
interface Carrier {
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
  const wanted = deliveries.filter(({ message }) => destination && isWanted(destination, message.type));
  if (!destination || wanted.length === 0) return [];
  const outgoing = await outgoingOf(wanted, scope, uses);
  const brokers = brokersOf(destination);
  const told = brokers.flatMap((kind) => [...outgoing.keys()].map(({ event }) => ({ event, kind })));
  await Promise.all(told.map(({ event, kind }) => noteForward("forwardToTeam", event, kind, scope, uses)));
  const failures = await Promise.all(
    brokers.map(async (kind) => {
      const failed = await send(kind, destination, scope, [...outgoing.keys()], uses);
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
async function outgoingOf<D extends Carrier>(deliveries: readonly D[], scope: TeamScope, uses: TeamForwardUses) {
  const events = deliveries.map(({ message }) => message);
  const bodies = await bodiesOf(events, () => scope, uses);
  const outgoing = new Map<TeamEvent, D>();
  for (const delivery of deliveries) {
    const body = bodies.get(eventName(delivery.message));
    if (body !== undefined) outgoing.set({ event: delivery.message, body }, delivery);
  }
  return outgoing;
}

async function send(
  kind: BrokerKind,
  destination: TeamDestination,
  { teamId }: TeamScope,
  events: readonly TeamEvent[],
  { credentials, outbox }: TeamForwardUses,
): Promise<Failures> {
  const sealed = destination.sealed[kind];
  if (events.length === 0 || sealed === undefined) return new Map();
  try {
    const secrets = await credentials.open(sealed, credentialsContext(teamId, kind));
    return await sendTo[kind](destination, JSON.parse(secrets), events, outbox);
  } catch (error) {
    return allFailed(events, error);
  }
}
