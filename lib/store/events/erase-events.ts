import type * as z from "zod";
import { isConditionMet } from "../condition-failed.ts";
import type { Table } from "../table.ts";
import { erasableItem } from "./outbox-items.ts";

/** Concurrent deletes of an erasure. */
const MAX_CONCURRENT_DELETES = 25;

/**
 * Deletes the events of one partition, each only while its feed page is unchanged, so that an event that is being
 * published at the same time is found in the next round.
 * @param forget removes the user from these feed pages before their events are deleted.
 * @returns the number of deleted items.
 */
export async function eraseEvents(
  table: Table,
  partition: string,
  forget: (pages: readonly string[]) => Promise<void>,
): Promise<number> {
  const input = {
    KeyConditionExpression: "pk = :pk",
    ProjectionExpression: "pk, sk, feed_page",
    ExpressionAttributeValues: { ":pk": partition },
  };
  for (let erased = 0; ; ) {
    const found = await Array.fromAsync(table.queryAll(input, erasableItem));
    if (found.length === 0) return erased;
    await forget([...new Set(found.flatMap(({ feed_page }) => feed_page ?? []))]);
    for (let first = 0; first < found.length; first += MAX_CONCURRENT_DELETES) {
      const atOnce = found.slice(first, first + MAX_CONCURRENT_DELETES);
      const deleted = await Promise.all(atOnce.map((item) => deleteUnlessListed(table, item)));
      erased += deleted.filter((isDeleted) => isDeleted).length;
    }
  }
}

function deleteUnlessListed(table: Table, { pk, sk, feed_page }: z.output<typeof erasableItem>): Promise<boolean> {
  const unlisted = { ConditionExpression: "attribute_not_exists(feed_page)" };
  return isConditionMet(table.delete({ pk, sk }, feed_page === undefined ? unlisted : undefined));
}
