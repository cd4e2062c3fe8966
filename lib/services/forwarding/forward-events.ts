import { batchGetItem, getItem, putItem } from "../../contract/access.ts";
import { accessLog, outbox, teams, users } from "../../contract/resources.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import type { ForwardMessage } from "../../events/forwarding/forward-message.ts";
import { recordServiceAccess } from "../../runtime/audit/record-service-access.ts";
import { PermanentError } from "../../runtime/errors.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** An event with its forwarded body. */
export interface OutgoingEvent {
  readonly event: EventReference;
  /** JSON text: the body of webhooks plus `event_id`. */
  readonly body: string;
}

/** A kind of target: its limits and its client. */
export interface ForwardTarget {
  /** The operation as the access log names it. */
  readonly operation: string;
  /** Limits of one request: entries, and bytes of all entries together. */
  readonly maxEntries: number;
  readonly maxRequestBytes: number;
  /** Maximum size of one entry in bytes. */
  readonly maxEntryBytes: number;
  /** Returns the size of an entry in bytes, as the target counts it. */
  readonly sizeOf: (outgoing: OutgoingEvent) => number;
  /** Sends one request. @returns the error of each rejected entry. @throws if the whole request failed. */
  readonly send: (arn: string, request: readonly OutgoingEvent[]) => Promise<ReadonlyMap<OutgoingEvent, unknown>>;
}

/** Dependencies of forwarding. */
export type ForwardEventsDependencies = {
  readonly outbox: Pick<OutboxStore, "getBodies">;
  readonly teams: Pick<TeamStore, "get">;
  readonly users: Pick<UserStore, "getMany">;
  readonly accessLog: Pick<AccessLogStore, "record">;
};

/** Grants of {@link forwardEvents}. */
export const forwardEventsAccess = [
  batchGetItem(outbox),
  getItem(teams),
  batchGetItem(users),
  putItem(accessLog),
] as const;

/**
 * Forwards the events of messages to the targets that the messages name. Skips an event whose user is deleted or
 * pending deletion. @returns the failed messages with their errors; an event over the target's size limit fails
 * permanently.
 */
export async function forwardEvents<D extends { readonly message: ForwardMessage }>(
  deliveries: readonly D[],
  target: ForwardTarget,
  grant: (teamId: string) => TeamScope,
  deps: ForwardEventsDependencies,
): Promise<{ delivery: D; error: unknown }[]> {
  const events = deliveries.map(({ message }) => message.event);
  const bodies = await readForwardableBodies(events, grant, deps);
  const forwardable = deliveries
    .map(({ message }) => message)
    .filter(({ event }) => bodies.has(eventIdentityKey(event)));
  const notes = forwardable.map(({ event, to }) =>
    recordForward(target.operation, event, to, grant(event.team_id), deps),
  );
  await Promise.all(notes);
  const failures: { delivery: D; error: unknown }[] = [];
  for (const [arn, some] of Map.groupBy(deliveries, ({ message }) => message.to)) {
    const outgoing = new Map<OutgoingEvent, D>();
    for (const delivery of some) {
      const { event } = delivery.message;
      const text = bodies.get(eventIdentityKey(event));
      if (text !== undefined) outgoing.set({ event, body: withEventId(event, text) }, delivery);
    }
    for (const [one, error] of await sendAll(arn, [...outgoing.keys()], target)) {
      failures.push({ delivery: outgoing.get(one) as D, error });
    }
  }
  return failures;
}

/** Records the forwarding of a user's event in the access log. @param to name of the target. */
export function recordForward(
  operation: string,
  { event_id, user_id }: EventReference,
  to: string,
  scope: TeamScope,
  { accessLog }: Pick<ForwardEventsDependencies, "accessLog">,
): Promise<void> {
  return recordServiceAccess(accessLog, scope, {
    operation,
    id: `${event_id}/${to}`,
    userId: user_id,
    target: { event_id, to },
  });
}

const withEventId = ({ event_id }: EventReference, text: string) => JSON.stringify({ event_id, ...JSON.parse(text) });

/** Reads the bodies, by {@link eventIdentityKey}, of events whose team and user are not deleted. */
export async function readForwardableBodies(
  events: readonly EventReference[],
  grant: (teamId: string) => TeamScope,
  { outbox, teams, users }: ForwardEventsDependencies,
): Promise<Map<string, string>> {
  const forwardable: EventReference[] = [];
  for (const [teamId, ofTeam] of Map.groupBy(events, ({ team_id }) => team_id)) {
    if (!(await teams.get(teamId))) continue;
    const ids = new Set(ofTeam.flatMap(({ user_id }) => user_id || []));
    const active = new Set((await users.getMany(grant(teamId), [...ids])).map(({ user_id }) => user_id));
    forwardable.push(...ofTeam.filter(({ user_id }) => user_id === "" || active.has(user_id)));
  }
  return outbox.getBodies([...new Map(forwardable.map((event) => [eventIdentityKey(event), event])).values()]);
}

async function sendAll(
  arn: string,
  all: readonly OutgoingEvent[],
  target: ForwardTarget,
): Promise<ReadonlyMap<OutgoingEvent, unknown>> {
  const failed = new Map<OutgoingEvent, unknown>();
  const isTooLarge = (one: OutgoingEvent) => target.sizeOf(one) > target.maxEntryBytes;
  for (const one of all.filter(isTooLarge))
    failed.set(one, new PermanentError("the event is too large for its target"));
  for (const request of splitIntoRequests(
    all.filter((one) => !isTooLarge(one)),
    target,
  )) {
    try {
      for (const [one, error] of await target.send(arn, request)) failed.set(one, error);
    } catch (error) {
      for (const one of request) failed.set(one, error);
    }
  }
  return failed;
}

function* splitIntoRequests(all: readonly OutgoingEvent[], { maxEntries, maxRequestBytes, sizeOf }: ForwardTarget) {
  let request: OutgoingEvent[] = [];
  let bytes = 0;
  for (const one of all) {
    const size = sizeOf(one);
    if (request.length > 0 && (request.length === maxEntries || bytes + size > maxRequestBytes)) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push(one);
    bytes += size;
  }
  if (request.length > 0) yield request;
}

/** Creates one client per region, lazily. */
export function clientByRegion<Client>(make: (region: string) => Client): (arn: string) => Client {
  const clients = new Map<string, Client>();
  return (arn) => {
    const region = arn.split(":")[3] ?? "";
    const client = clients.get(region) ?? make(region);
    clients.set(region, client);
    return client;
  };
}
