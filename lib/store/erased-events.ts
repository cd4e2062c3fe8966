import type * as z from "zod";
import { ConditionFailed } from "./condition-failed.ts";
import { erasableItem } from "./outbox-items.ts";
import type { Table } from "./table.ts";

/** Items that an erasure deletes at the same time. */
const DELETES_AT_ONCE = 25;

/**
 * Deletes the events of one partition, each only while the feed lists it where it did when it was read, so that none
 * escapes that is being published meanwhile.
 * @param forget takes the user out of these pages of the feed; called before the events that know them are deleted.
 * @returns how many items there were.
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
