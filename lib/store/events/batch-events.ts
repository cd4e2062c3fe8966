import * as z from "zod";
import { type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Table } from "../table.ts";
import { type BatchCounts, batchCounts, eventKey, UNKNOWN_SEQUENCE, unsentShardOf } from "./outbox-items.ts";

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

/** An event that a run of a batch stored. */
export interface StoredBatchEvent {
  readonly reference: EventReference;
  /** Whether its item does not know its sequence. */
  readonly isUnfinished: boolean;
  /** The counts of the batch, if the event carries them. */
  readonly counts: BatchCounts | undefined;
}

const storedItem = eventReference.extend({ sequence: z.number().optional(), counts: batchCounts.optional() });

/** Yields the events of a batch. @param pk partition of the user's events. */
export async function* listOfBatch(table: Table, pk: string, receiptId: string): AsyncGenerator<StoredBatchEvent> {
  const input = {
    KeyConditionExpression: "pk = :pk",
    FilterExpression: "receipt_id = :receipt",
    ExpressionAttributeValues: { ":pk": pk, ":receipt": receiptId },
  };
  for await (const { sequence, counts, ...reference } of table.queryAll(input, storedItem))
    yield { reference, isUnfinished: sequence === UNKNOWN_SEQUENCE, counts };
}
