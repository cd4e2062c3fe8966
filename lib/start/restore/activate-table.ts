import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { inParallel } from "../../runtime/in-parallel.ts";
import { mapConditionFailure, unlessConditionFailed } from "../../store/condition-failed.ts";
import type { Item, Key } from "../../store/item.ts";
import { setExpression, type Table } from "../../store/table.ts";
import { planItem, separateActivation } from "./item-plan.ts";
import { putItems } from "./put-items.ts";

/** What began to work. */
export interface ActivatedTable {
  /** Items of callers' keys and sessions, and of hours that wait for their seal. */
  readonly late: number;
  /** Items that timers find again. */
  readonly activated: number;
}

/**
 * Writes what {@link copyTable} left for later: what authenticates callers, and the attributes that start work. Items
 * that the erasures deleted stay deleted.
 * @param isErased whether an item belongs to an erased user.
 */
export async function activateTable(
  from: AsyncIterable<readonly (Item & Key)[]>,
  to: Table,
  isErased: (item: Item & Key) => Promise<boolean>,
): Promise<ActivatedTable> {
  let [late, activated] = [0, 0];
  for await (const page of from) {
    const due = page.filter(
      (item) => planItem(item) === "data" && Object.keys(separateActivation(item).activation).length > 0,
    );
    activated += (await inParallel(due, (item) => activate(to, item))).filter(Boolean).length;
    const found = page.filter((item) => planItem(item) === "late");
    const erased = await inParallel(found, isErased);
    const kept = found.filter((_, place) => !erased[place]);
    await putItems(to, kept);
    late += kept.length;
  }
  return { late, activated };
}

/** @returns false if the item does not exist any more. */
async function activate({ documents, name }: Table, item: Item & Key): Promise<boolean> {
  const change = { ...setExpression(separateActivation(item).activation), ConditionExpression: "attribute_exists(pk)" };
  const { pk, sk } = item;
  const done = unlessConditionFailed(
    mapConditionFailure(documents.send(new UpdateCommand({ TableName: name, Key: { pk, sk }, ...change }))),
  );
  return (await done) !== undefined;
}
