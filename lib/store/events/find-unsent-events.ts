import type * as z from "zod";
import { type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import type { Table } from "../table.ts";
import { unsentItem, unsentShards } from "./outbox-items.ts";

/** An event of the outbox that is not published yet, as far as its item shows. */
export interface UnsentEvent {
  readonly reference: EventReference;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
}

/** Maximum events of one sweep. A sweep has less than a minute. */
const MAX_EVENTS_PER_SWEEP = 500;

/**
 * Returns unpublished events written up to `untilMs` (epoch ms) in the order of writing, and the time of the first later
 * one. Returns at most {@link MAX_EVENTS_PER_SWEEP}; the next sweep gets the rest.
 */
export async function findUnsentEvents(
  table: Table,
  untilMs: number,
): Promise<{ unsent: UnsentEvent[]; nextDueAt: number | undefined }> {
  const found: z.output<typeof unsentItem>[] = [];
  let nextDueAt: number | undefined;
  for (const shard of unsentShards) {
    const input = {
      IndexName: "unsent",
      KeyConditionExpression: "unsent_shard = :shard",
      ExpressionAttributeValues: { ":shard": shard },
      Limit: MAX_EVENTS_PER_SWEEP,
    };
    for await (const event of table.queryAll(input, unsentItem)) {
      const createdAt = Date.parse(event.created_at);
      if (createdAt > untilMs || found.length >= MAX_EVENTS_PER_SWEEP) {
        nextDueAt = Math.min(nextDueAt ?? createdAt, createdAt);
        break;
      }
      found.push(event);
    }
  }
  const unsent = found.map((event) => ({
    reference: eventReference.parse(event),
    createdAtMs: Date.parse(event.created_at),
  }));
  return { unsent: unsent.sort((a, b) => a.createdAtMs - b.createdAtMs), nextDueAt };
}
