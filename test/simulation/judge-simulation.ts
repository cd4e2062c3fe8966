import type { TestService } from "../support/service.ts";
import type { FaultyReceiver } from "./faulty-receiver.ts";
import type { Replica } from "./replica.ts";
import type { Sender } from "./sender.ts";
import { readFeed, readStoredEvents, readUserValues, type StoredEvent, type StoredValue } from "./stored-data.ts";

/** Final checks of a simulation; every list is empty if the service is correct. */
export interface SimulationVerdict {
  readonly events: number;
  /** Events that the receiver never accepted, or whose delivery ended without success. */
  readonly lost: readonly string[];
  /** Gaps of the feed, and events that it lists twice or not at all. */
  readonly feed: readonly string[];
  /** Keys whose stored value differs from the value sent last. */
  readonly notStored: readonly string[];
  /** Keys whose value at the receiver differs from the stored value, by each ordering rule. */
  readonly wrongLastReceived: readonly string[];
  readonly wrongHighestVersion: readonly string[];
  /** Attempts that took effect after a later attempt, within the time that receivers have for it. */
  readonly overtaken: number;
  readonly badSignatures: number;
}

interface Parts {
  readonly service: TestService;
  readonly team: { readonly key: string; readonly teamId: string; readonly userIds: readonly string[] };
  readonly sender: Sender;
  readonly receiver: FaultyReceiver;
}

/** Compares the sent, stored, listed and received data. */
export async function judgeSimulation({ service, team, sender, receiver }: Parts): Promise<SimulationVerdict> {
  const all = await readStoredEvents(service);
  const events = all.events.filter(({ team_id }) => team_id === team.teamId);
  const byReplica = new Map<string, StoredValue>();
  const bySender = new Map<string, number>();
  for (const userId of team.userIds) {
    const read = await readUserValues(service, team.key, userId);
    for (const [key, value] of read.byReplica) byReplica.set(key, value);
    for (const [key, value] of read.bySender) bySender.set(key, value);
  }
  return {
    events: events.length,
    lost: events.flatMap(({ event_id: id }) => {
      const states = all.states.get(id) ?? [];
      const isDelivered = states.length === 1 && states[0] === "delivered" && receiver.accepted.has(id);
      return isDelivered
        ? []
        : [`${id}: ${states.join(", ") || "no delivery"}, accepted: ${receiver.accepted.has(id)}`];
    }),
    feed: findFeedErrors(await readFeed(service, team.key), events),
    notStored: [...sender.expected].flatMap(([key, values]) => {
      const value = bySender.get(key);
      return value !== undefined && values.includes(value)
        ? []
        : [`${key}: ${value} instead of ${values.join(" or ")}`];
    }),
    wrongLastReceived: findDifferences(receiver.lastReceived, byReplica),
    wrongHighestVersion: findDifferences(receiver.highestVersion, byReplica),
    overtaken: receiver.lastReceived.overtaken,
    badSignatures: receiver.badSignatures,
  };
}

function findFeedErrors(
  feed: readonly { sequence: number; event_id: string }[],
  events: readonly StoredEvent[],
): string[] {
  const gaps = feed.filter(({ sequence }, index) => sequence !== index + 1);
  const listed = new Map(feed.map(({ event_id, sequence }) => [event_id, sequence]));
  return [
    ...gaps.slice(0, 1).map(({ sequence }) => `a gap before ${sequence}`),
    ...(listed.size === feed.length ? [] : [`${feed.length - listed.size} entries are there twice`]),
    ...events.flatMap(({ event_id: id, sequence }) =>
      isListed(listed.get(id), sequence) ? [] : [`${id}: ${sequence}, listed as ${listed.get(id)}`],
    ),
    ...(feed.length === events.length ? [] : [`${feed.length} entries for ${events.length} events`]),
  ];
}

function findDifferences({ values }: Replica, stored: ReadonlyMap<string, StoredValue>): string[] {
  const missing = [...stored].flatMap(([key, { text }]) =>
    values.get(key) === text ? [] : [`${key}: ${values.get(key)} instead of ${text}`],
  );
  return [...missing, ...[...values.keys()].filter((key) => !stored.has(key)).map((key) => `${key} is not stored`)];
}

/** Whether an event has its place in the feed. The item of an event that its batch appended does not know it (0). */
const isListed = (listed: number | undefined, sequence: number | undefined): boolean =>
  listed !== undefined && (sequence === 0 || sequence === listed);
