import { type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Table } from "../table.ts";
import { eventKey, UNKNOWN_SEQUENCE, unsentShardOf } from "./outbox-items.ts";

/** Leaves an event of a batch to the sweeper. See {@link OutboxStore.leaveToSweeper}. */
export async function leaveToSweeper(table: Table, reference: EventReference, receiptId: string): Promise<boolean> {
  try {
    await table.update(eventKey(reference), {
      UpdateExpression: "SET unsent_shard = :shard REMOVE #sequence",
      ConditionExpression: "receipt_id = :receipt AND #sequence = :unknown",
      ExpressionAttributeNames: { "#sequence": "sequence" },
      ExpressionAttributeValues: {
        ":receipt": receiptId,
        ":unknown": UNKNOWN_SEQUENCE,
        ":shard": unsentShardOf(reference),
      },
    });
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.items.get(0)?.receipt_id === receiptId;
  }
}

/** Yields the events of a batch whose sequence its item does not know. @param pk partition of the user's events. */
export function listUnfinished(table: Table, pk: string, receiptId: string): AsyncGenerator<EventReference> {
  const input = {
    KeyConditionExpression: "pk = :pk",
    FilterExpression: "receipt_id = :receipt AND #sequence = :unknown",
    ExpressionAttributeNames: { "#sequence": "sequence" },
    ExpressionAttributeValues: { ":pk": pk, ":receipt": receiptId, ":unknown": UNKNOWN_SEQUENCE },
  };
  return table.queryAll(input, eventReference);
}
