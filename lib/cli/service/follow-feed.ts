import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { ApiTarget } from "./api-target.ts";
import type { LiveEvent } from "./live-event.ts";
import { ServiceClient } from "./service-client.ts";

const POLL_MS = 1_000;
const PAGE_SIZE = 100;

const feedBody = z.looseObject({ event_type: z.string(), user_id: z.string().optional() });
const feedPage = z.object({
  events: z.array(z.object({ sequence: z.int(), event_id: z.string(), body: feedBody.nullable() })),
  next: z.int(),
});

/**
 * Yields the events of a team in sequence order, without end.
 * @param after sequence number to start after; by default the last one.
 * @param onReady called once the start is known, before the first event.
 */
export async function* followFeed(
  { baseUrl, apiKey }: ApiTarget,
  after: number | undefined,
  onReady: () => void,
): AsyncGenerator<LiveEvent> {
  const client = new ServiceClient(baseUrl, { "x-service-api-key": apiKey });
  const read = (from: number, limit: number) => client.call(feedPage, "GET", `/v2/events?after=${from}&limit=${limit}`);
  let position = after ?? (await findLastSequence(async (from) => (await read(from, 1)).events[0]?.sequence));
  onReady();
  for (;;) {
    const { events, next } = await read(position, PAGE_SIZE);
    for (const { sequence, event_id: eventId, body } of events) {
      const [type, userId] = [body?.event_type ?? null, body?.user_id ?? null];
      yield { seenAt: new Date().toISOString(), type, userId, sequence, eventId, body };
    }
    position = next;
    if (events.length < PAGE_SIZE) await pause(POLL_MS);
  }
}

/**
 * Finds the last sequence number without a read of the whole feed: doubles the distance until no event follows, then
 * halves the interval.
 * @param readNext returns the sequence number of the first event after another one; undefined if none follows.
 */
export async function findLastSequence(readNext: (after: number) => Promise<number | undefined>): Promise<number> {
  let known = (await readNext(0)) ?? 0;
  if (known === 0) return 0;
  let step = 1;
  for (let next = await readNext(known); next !== undefined; next = await readNext(known + step)) {
    known = next;
    step *= 2;
  }
  let end = known + step;
  while (end - known > 1) {
    const middle = Math.floor((known + end) / 2);
    const next = await readNext(middle);
    if (next === undefined) end = middle;
    else known = next;
  }
  return (await readNext(known)) ?? known;
}
