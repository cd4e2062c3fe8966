import { teamKeys } from "../../contract/resources.ts";
import type { Item, Key } from "../../store/item.ts";
import type { Table } from "../../store/table.ts";
import { advanceSequence } from "./advance-sequence.ts";
import { ItemDigest } from "./item-digest.ts";
import { planItem, separateActivation } from "./item-plan.ts";
import type { KeyChange } from "./key-change.ts";
import { putItems } from "./put-items.ts";
import { scanItems } from "./scan-items.ts";

/** What a copied table has. */
export interface CopiedTable {
  readonly items: number;
  /** Items that are not restored: one-time tokens, the lake. */
  readonly left: number;
}

/**
 * Copies the data of a table, without what authenticates callers or starts work. Then compares what was written with
 * what the table has.
 * @throws Error if the tables differ.
 */
export async function copyTable(
  from: AsyncIterable<readonly (Item & Key)[]>,
  to: Table,
  keys: KeyChange,
): Promise<CopiedTable> {
  const written = new ItemDigest();
  let left = 0;
  for await (const page of from) {
    const kept = page.filter((item) => planItem(item) === "data");
    left += page.filter((item) => planItem(item) === "never").length;
    const items = await Promise.all(kept.map((item) => prepare(item, keys)));
    const inactive = items.flatMap((item) => (item ? separateActivation(item).inactive : []));
    await putItems(to, inactive);
    for (const item of inactive) written.add(item);
  }
  const found = new ItemDigest();
  for await (const page of scanItems(to)) for (const item of page) if (isCompared(item)) found.add(item);
  if (found.toString() !== written.toString())
    throw new Error(`${to.name} differs from its copy: ${found} instead of ${written}`);
  return { items: written.items, left };
}

/** Each deployment has its own keys of teams. */
const isCompared = (item: Item & Key) => planItem(item) === "data" && !item.pk.startsWith(teamKeys.keyPrefix);

async function prepare(item: Item & Key, keys: KeyChange): Promise<(Item & Key) | undefined> {
  const changed = await keys.apply(item);
  return changed && advanceSequence(changed);
}
