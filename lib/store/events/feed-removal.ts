import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { StoredEntry } from "./feed-items.ts";

/** Entries that one update changes. An expression has at most 4 KB. */
const REMOVALS_PER_UPDATE = 100;

/**
 * Removes a user's id from the entries of a page or a tail, which stay. Entries of a page never move, so only a tail
 * needs its revision.
 * @throws ConditionFailed if the tail has changed, or if the page does not exist any more.
 */
export async function removeUserFrom(
  table: Table,
  key: Key,
  { entries, revision }: { readonly entries: readonly StoredEntry[]; readonly revision?: number },
  userId: string,
): Promise<void> {
  const ids = entries.flatMap((entry, index) => (entry.user_id === userId ? [`entries[${index}].user_id`] : []));
  for (let first = 0, seen = revision; first < ids.length; first += REMOVALS_PER_UPDATE) {
    const remove = `REMOVE ${ids.slice(first, first + REMOVALS_PER_UPDATE).join(", ")}`;
    await table.update(key, seen === undefined ? changePage(remove) : changeTail(remove, seen));
    if (seen !== undefined) seen++;
  }
}

const changePage = (remove: string) => ({ UpdateExpression: remove, ConditionExpression: "attribute_exists(pk)" });

const changeTail = (remove: string, revision: number) => ({
  UpdateExpression: `SET revision = :next ${remove}`,
  ConditionExpression: "revision = :seen",
  ExpressionAttributeValues: { ":seen": revision, ":next": revision + 1 },
});
