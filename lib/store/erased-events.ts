import type * as z from "zod";
import { ConditionFailed } from "./condition-failed.ts";
import { erasableItem } from "./outbox-items.ts";
import type { Table } from "./table.ts";

/** Concurrent deletes of an erasure. */
const DELETES_AT_ONCE = 25;

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
    const found = await Array.fromAsync(table.all(input, erasableItem));
    if (found.length === 0) return erased;
    await forget([...new Set(found.flatMap(({ feed_page }) => feed_page ?? []))]);
    for (let first = 0; first < found.length; first += DELETES_AT_ONCE) {
      const atOnce = found.slice(first, first + DELETES_AT_ONCE);
      const deleted = await Promise.all(atOnce.map((item) => removeIfListedThere(table, item)));
      erased += deleted.filter((isDeleted) => isDeleted).length;
    }
  }
}

async function removeIfListedThere(table: Table, { pk, sk, feed_page }: z.output<typeof erasableItem>) {
  const unlisted = { ConditionExpression: "attribute_not_exists(feed_page)" };
  try {
    await table.remove({ pk, sk }, feed_page === undefined ? unlisted : undefined);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
