import * as listEvents from "../../../functions/events/list-events.ts";
import * as relayEvents from "../../../functions/events/relay-events.ts";
import * as sweepEvents from "../../../functions/events/sweep-events.ts";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import { OutboxStore } from "../../../lib/store/events/outbox.ts";
import { Table } from "../../../lib/store/table.ts";
import { createTestEvent } from "../../unit/events/create-test-event.ts";
import { type Performed, toResult, type WorkloadFactory } from "../workload.ts";
import { createUser } from "./create-user.ts";

/** More events than the tail of a feed holds, so that a page gets full while clients append. */
const [OLD, NEW] = [5, 6] as const;
/** Longer than the sweeper leaves events to the relay. */
const SWEPT_MS = 60 * 60_000;

/** The feed of one team: relays and sweepers append its events, in batches and repeatedly, and clients read pages. */
export const createFeedWorkload: WorkloadFactory = (service, random) => {
  const events: EventReference[] = [];
  /** Events that are certainly in the feed. Another append of them without an answer says nothing. */
  const known = new Set<string>();
  let sweeps = 0;
  const append = (event: EventReference, result: Performed["result"]): Performed => ({
    ...{ kind: "feed", object: "feed", name: "append", args: [event.event_id], result },
  });
  const relay = async (some: readonly EventReference[]) => {
    const records = some.map((reference, place) => ({
      dynamodb: { SequenceNumber: String(place), NewImage: imageOf(reference) },
    }));
    const before = new Set(known);
    const consumed = await service.consume(relayEvents, records);
    return some.flatMap((event, place) => {
      if (!consumed?.[place]) return before.has(event.event_id) ? [] : append(event, null);
      known.add(event.event_id);
      return append(event, ["done"]);
    });
  };
  const sweep = async () => {
    sweeps++;
    const unknown = events.filter(({ event_id }) => !known.has(event_id));
    await service.start(sweepEvents, {});
    return unknown.map((event) => append(event, null));
  };
  const read = async (after: number, limit: number): Promise<Performed> => {
    const answer = await service.call(listEvents, { query: { after: String(after), limit: String(limit) } });
    const shown = (list: { sequence: number; event_id: string }[]) =>
      list.map(({ sequence, event_id }) => `${sequence}=${event_id}`);
    const result = toResult(answer, (body) => shown(body.events), {});
    return { kind: "feed", object: "feed", name: "read", args: [String(after), String(limit)], result };
  };
  return {
    async prepare() {
      const user_id = await createUser(service);
      const outbox = new OutboxStore(new Table(service.directory.documents, eventTable.name));
      const all = Array.from({ length: OLD + NEW }, (_, place) => createTestEvent(service.org.team_id, user_id, place));
      for (const event of all) await outbox.append(event, new Date(service.nowMs).toISOString());
      service.nowMs += SWEPT_MS;
      events.push(...all.map(({ reference }) => reference));
    },
    opening: async () => relay(events.splice(0, OLD)),
    async perform() {
      const kind = random.integerBelow(100);
      if (kind < 50) {
        const first = random.integerBelow(NEW);
        return relay(events.slice(first, first + 1 + random.integerBelow(3)));
      }
      if (kind < 55 && sweeps === 0) return sweep();
      return [await read(random.pick([0, 0, OLD, OLD + 2]), random.pick([100, 100, 3]))];
    },
  };
};

function imageOf(reference: EventReference): Record<string, { S?: string; N?: string }> {
  const entries = Object.entries(reference).map(([name, value]) => [
    name,
    typeof value === "number" ? { N: String(value) } : { S: value },
  ]);
  return Object.fromEntries(entries);
}
