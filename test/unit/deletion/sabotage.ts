import { reservations } from "../../../lib/contract/resources.ts";
import type { WriteItem } from "../../../lib/store/transaction.ts";

type Write = NonNullable<WriteItem["Put"]> | NonNullable<WriteItem["Delete"]> | NonNullable<WriteItem["Update"]>;

/** A way to break the store: which write loses its condition, or a part of it. */
export interface Sabotage {
  readonly name: string;
  readonly tamper: (item: WriteItem) => WriteItem;
}

const isOnReservation = (key: Record<string, unknown> | undefined) =>
  String(key?.pk).startsWith(reservations.keyPrefix);
const isUserUpdate = (item: WriteItem, begin: string) => item.Update?.UpdateExpression?.startsWith(begin) ?? false;

const without = (name: string, isMeant: (item: WriteItem) => boolean, part?: string): Sabotage => ({
  name,
  tamper: (item) => (isMeant(item) ? weakened(item, part) : item),
});

/**
 * One for every condition that keeps the rules of deletion and undo. Three are left out because others stand in for
 * them: who is not active holds no reference, a deletion in place of an undone one is undone as well, and its own grace
 * period keeps it from being erased in the name of the other.
 */
export const sabotages: readonly Sabotage[] = [
  without("takes a reference whoever holds it", (item) => isOnReservation(item.Put?.Item)),
  without("gives a reference back whoever holds it", (item) => isOnReservation(item.Update?.Key)),
  without("frees a reference whoever holds it", (item) => isOnReservation(item.Delete?.Key)),
  without("changes users that are not active", (item) => isUserUpdate(item, "SET #")),
  without("connects users that are not active", (item) => isUserUpdate(item, "SET connections")),
  without("restores users that are not pending", (item) => isUserUpdate(item, "SET lifecycle = :active")),
  without(
    "restores after the grace period",
    (item) => isUserUpdate(item, "SET lifecycle = :active"),
    " AND erase_at > :now",
  ),
  without("erases users that are not pending", (item) => isUserUpdate(item, "SET lifecycle = :erasing")),
  without(
    "erases before the grace period is over",
    (item) => isUserUpdate(item, "SET lifecycle = :erasing"),
    " AND erase_at <= :now",
  ),
];

/** The write with the part cut out of its condition; with no condition at all when no part is named. */
function weakened(item: WriteItem, part: string | undefined): WriteItem {
  const { Put, Delete, Update } = item;
  if (Put) return { Put: cut(Put, part) };
  if (Delete) return { Delete: cut(Delete, part) };
  return Update ? { Update: cut(Update, part) } : item;
}

/** DynamoDB refuses names and values that no expression uses, so those of the part go with it. */
function cut<W extends Write>(write: W, part: string | undefined): W {
  const { ConditionExpression = "", ExpressionAttributeNames, ExpressionAttributeValues, ...rest } = write;
  const kept = part === undefined ? "" : ConditionExpression.replace(part, "");
  const used = `${kept} ${"UpdateExpression" in rest ? rest.UpdateExpression : ""}`;
  const names = usedOnly(ExpressionAttributeNames, used);
  const values = usedOnly(ExpressionAttributeValues, used);
  return {
    ...rest,
    ...(kept === "" ? {} : { ConditionExpression: kept }),
    ...(names ? { ExpressionAttributeNames: names } : {}),
    ...(values ? { ExpressionAttributeValues: values } : {}),
  } as W;
}

function usedOnly<T>(all: Record<string, T> | undefined, expressions: string): Record<string, T> | undefined {
  const entries = Object.entries(all ?? {}).filter(([name]) => new RegExp(`${name}\\b`).test(expressions));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
