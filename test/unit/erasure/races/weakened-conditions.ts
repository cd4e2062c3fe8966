import { reservations } from "../../../../lib/contract/resources.ts";
import type { WriteItem } from "../../../../lib/store/transaction.ts";

type Write = NonNullable<WriteItem["Put"]> | NonNullable<WriteItem["Delete"]> | NonNullable<WriteItem["Update"]>;

/** A broken variant of the store: one write loses its condition or a part of it. */
export interface WeakenedCondition {
  readonly name: string;
  readonly tamper: (item: WriteItem) => WriteItem;
}

const isOnReservation = (key: Record<string, unknown> | undefined) =>
  String(key?.pk).startsWith(reservations.keyPrefix);
const isUserUpdate = (item: WriteItem, begin: string) => item.Update?.UpdateExpression?.startsWith(begin) ?? false;

const without = (name: string, isMeant: (item: WriteItem) => boolean, part?: string): WeakenedCondition => ({
  name,
  tamper: (item) => (isMeant(item) ? weaken(item, part) : item),
});

/**
 * One variant for each condition that protects deletion and undo. Three conditions are left out because others cover
 * them: an inactive user holds no reference, a deletion that replaces an undone deletion is undone too, and its own
 * grace period prevents an erasure for the other deletion.
 */
export const weakenedConditions: readonly WeakenedCondition[] = [
  without("takes a reference regardless of its holder", (item) => isOnReservation(item.Put?.Item)),
  without("releases a reference regardless of its holder", (item) => isOnReservation(item.Update?.Key)),
  without("deletes a reference regardless of its holder", (item) => isOnReservation(item.Delete?.Key)),
  without("changes inactive users", (item) => isUserUpdate(item, "SET #")),
  without("connects inactive users", (item) => isUserUpdate(item, "SET connections")),
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

/** Returns the write without the given part of its condition, or without any condition when no part is given. */
export function weaken(item: WriteItem, part?: string): WriteItem {
  const { Put, Delete, Update } = item;
  if (Put) return { Put: cut(Put, part) };
  if (Delete) return { Delete: cut(Delete, part) };
  return Update ? { Update: cut(Update, part) } : item;
}

/** Removes the names and values of the cut part too, because DynamoDB rejects unused ones. */
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
