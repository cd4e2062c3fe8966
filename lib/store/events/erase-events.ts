import { isConditionMet } from "../condition-failed.ts";
import type { Table } from "../table.ts";
import { type ErasableItem, erasableItem } from "./outbox-items.ts";

/** Concurrent deletes of an erasure. */
const MAX_CONCURRENT_DELETES = 25;

/**
 * Deletes the events of one partition, each only while its sequence is unchanged, so that an event that is being
 * published at the same time is found in the next round.
 * @param forget removes the user from the feed entries of these events before they are deleted.
 * @returns the number of deleted items.
 */
export async function eraseEvents(
  table: Table,
  partition: string,
  forget: (events: readonly ErasableItem[]) => Promise<void>,
): Promise<number> {
  const input = {
    KeyConditionExpression: "pk = :pk",
    ProjectionExpression: "pk, sk, #sequence, created_at",
    ExpressionAttributeNames: { "#sequence": "sequence" },
    ExpressionAttributeValues: { ":pk": partition },
  };
  for (let erased = 0; ; ) {
    const found = await Array.fromAsync(table.queryAll(input, erasableItem));
    if (found.length === 0) return erased;
    await forget(found);
    for (let first = 0; first < found.length; first += MAX_CONCURRENT_DELETES) {
      const atOnce = found.slice(first, first + MAX_CONCURRENT_DELETES);
      const deleted = await Promise.all(atOnce.map((item) => deleteUnlessSequenced(table, item)));
      erased += deleted.filter((isDeleted) => isDeleted).length;
    }
  }
}

function deleteUnlessSequenced(table: Table, { pk, sk, sequence }: ErasableItem): Promise<boolean> {
  const unchanged =
    sequence === undefined
      ? { ConditionExpression: "attribute_not_exists(#sequence)" }
      : {
          ConditionExpression: "#sequence = :sequence OR attribute_not_exists(pk)",
          ExpressionAttributeValues: { ":sequence": sequence },
        };
  return isConditionMet(
    table.delete({ pk, sk }, { ...unchanged, ExpressionAttributeNames: { "#sequence": "sequence" } }),
  );
}
