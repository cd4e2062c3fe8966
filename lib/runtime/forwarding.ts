import type { EventReference } from "../events/envelope.ts";
import type { ForwardMessage } from "../events/forward-message.ts";
import type { AccessLogStore } from "../store/audit/access-log.ts";
import type { TeamStore } from "../store/identity.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { eventName } from "../store/outbox-items.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UserStore } from "../store/users.ts";
import { noteWork } from "./audit/noting-work.ts";
import { PermanentError } from "./errors.ts";

/** An event with its forwarded body. */
export interface Outgoing {
  readonly event: EventReference;
  /** JSON text: the body of webhooks plus `event_id`. */
  readonly body: string;
}

/** A kind of target: its limits and its client. */
export interface ForwardTarget {
  /** The operation as the access log names it. */
  readonly operation: string;
  /** Limits of one request: entries, and bytes of all entries together. */
  readonly mostEntries: number;
  readonly mostBytes: number;
  /** Maximum size of one entry in bytes. */
  readonly mostEntryBytes: number;
  /** Returns the size of an entry in bytes, as the target counts it. */
  readonly sizeOf: (outgoing: Outgoing) => number;
  /** Sends one request. @returns the error of each rejected entry. @throws if the whole request failed. */
  readonly send: (arn: string, request: readonly Outgoing[]) => Promise<ReadonlyMap<Outgoing, unknown>>;
}

/** Dependencies of forwarding. */
export interface ForwardUses {
  readonly outbox: Pick<OutboxStore, "bodies">;
  readonly teams: Pick<TeamStore, "get">;
  readonly users: Pick<UserStore, "getMany">;
  readonly accessLog: Pick<AccessLogStore, "record">;
}

/**
 * Forwards the events of messages to the targets that the messages name. Skips an event whose user is deleted or
 * pending deletion. @returns the failed messages with their errors; an event over the target's size limit fails
 * permanently.
 */
export async function forwardAll<D extends { readonly message: ForwardMessage }>(
  deliveries: readonly D[],
  target: ForwardTarget,
  grant: (teamId: string) => TeamScope,
  uses: ForwardUses,
): Promise<{ delivery: D; error: unknown }[]> {
  const events = deliveries.map(({ message }) => message.event);
  const bodies = await bodiesOf(events, grant, uses);
  const told = deliveries.map(({ message }) => message).filter(({ event }) => bodies.has(eventName(event)));
  const notes = told.map(({ event, to }) => noteForward(target.operation, event, to, grant(event.team_id), uses));
  await Promise.all(notes);
  const failures: { delivery: D; error: unknown }[] = [];
  for (const [arn, some] of Map.groupBy(deliveries, ({ message }) => message.to)) {
    const outgoing = new Map<Outgoing, D>();
    for (const delivery of some) {
      const { event } = delivery.message;
      const text = bodies.get(eventName(event));
      if (text !== undefined) outgoing.set({ event, body: withId(event, text) }, delivery);
    }
    for (const [one, error] of await sendAll(arn, [...outgoing.keys()], target)) {
      failures.push({ delivery: outgoing.get(one) as D, error });
    }
  }
  return failures;
}

/** Records the forwarding of a user's event in the access log. @param to name of the target. */
export function noteForward(
  operation: string,
  { event_id, user_id }: EventReference,
  to: string,
  scope: TeamScope,
  { accessLog }: Pick<ForwardUses, "accessLog">,
): Promise<void> {
  return noteWork(accessLog, scope, { operation, id: `${event_id}/${to}`, userId: user_id, target: { event_id, to } });
}

const withId = ({ event_id }: EventReference, text: string) => JSON.stringify({ event_id, ...JSON.parse(text) });

/** Reads the bodies, by {@link eventName}, of events whose team and user are not deleted. */
export async function bodiesOf(
  events: readonly EventReference[],
  grant: (teamId: string) => TeamScope,
  { outbox, teams, users }: ForwardUses,
): Promise<Map<string, string>> {
  const told: EventReference[] = [];
  for (const [teamId, ofTeam] of Map.groupBy(events, ({ team_id }) => team_id)) {
    if (!(await teams.get(teamId))) continue;
    const ids = new Set(ofTeam.flatMap(({ user_id }) => user_id || []));
    const active = new Set((await users.getMany(grant(teamId), [...ids])).map(({ user_id }) => user_id));
    told.push(...ofTeam.filter(({ user_id }) => user_id === "" || active.has(user_id)));
  }
  return outbox.bodies([...new Map(told.map((event) => [eventName(event), event])).values()]);
}

async function sendAll(
  arn: string,
  all: readonly Outgoing[],
  target: ForwardTarget,
): Promise<ReadonlyMap<Outgoing, unknown>> {
  const failed = new Map<Outgoing, unknown>();
  const isTooLarge = (one: Outgoing) => target.sizeOf(one) > target.mostEntryBytes;
  for (const one of all.filter(isTooLarge))
    failed.set(one, new PermanentError("the event is too large for its target"));
  for (const request of requestsOf(
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

function* requestsOf(all: readonly Outgoing[], { mostEntries, mostBytes, sizeOf }: ForwardTarget) {
  let request: Outgoing[] = [];
  let bytes = 0;
  for (const one of all) {
    const size = sizeOf(one);
    if (request.length > 0 && (request.length === mostEntries || bytes + size > mostBytes)) {
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
export function byRegion<Client>(make: (region: string) => Client): (arn: string) => Client {
  const clients = new Map<string, Client>();
  return (arn) => {
    const region = arn.split(":")[3] ?? "";
    const client = clients.get(region) ?? make(region);
    clients.set(region, client);
    return client;
  };
}
