import type { BucketResource } from "../../contract/resource-kinds.ts";
import { usage } from "../../contract/resources.ts";
import { objectsOf, userBuckets } from "../../contract/user-partitions.ts";
import { orderPlaces, type UserPlace, userPlaces } from "../../store/erasure/user-places.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UsageStore } from "../../store/usage.ts";
import { locate, tableOf } from "../aws.ts";
import { Bucket } from "../bucket.ts";

interface StockUses {
  readonly usage: UsageStore;
}

/** The inventory of a user: counts per store, non-zero only, and the number of scanned places. */
export interface Stock {
  readonly stores: Readonly<Record<string, number>>;
  readonly places: number;
}

/** Maximum number of concurrent counts. */
const COUNTS_AT_ONCE = 16;

/** The name of a bucket in a certificate. The suffix separates it from a store with the same name. */
const objectsIn = ({ name }: BucketResource): string => `${name}_objects`;

/**
 * Counts the data of a user by reading every place.
 * @param orderIds the user's orders, now or at the start of the erasure.
 */
export async function takeStock(
  { usage: store }: StockUses,
  scope: TeamScope,
  userId: string,
  orderIds: readonly string[],
): Promise<Stock> {
  const owner = { team_id: scope.teamId, user_id: userId };
  const places = [...userPlaces(owner), ...orderPlaces(owner, orderIds)];
  const partitions = places.flatMap(({ entity, partitions }) => partitions.map((pk) => ({ entity, pk })));
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => {
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  for (let first = 0; first < partitions.length; first += COUNTS_AT_ONCE) {
    await Promise.all(partitions.slice(first, first + COUNTS_AT_ONCE).map((one) => countIn(one, add)));
  }
  for (const bucket of userBuckets) {
    add(objectsIn(bucket), await new Bucket(locate(bucket)).count(objectsOf(owner)));
  }
  if (await store.knows(scope, userId)) add(usage.store, 1);
  return { stores: Object.fromEntries(counts), places: partitions.length + userBuckets.length + 1 };
}

async function countIn(
  { entity, pk }: { readonly entity: UserPlace["entity"]; readonly pk: string },
  add: (name: string, count: number) => void,
): Promise<void> {
  add(entity.store, await tableOf(entity.table).countPartition(pk));
}

/** Returns the total count of an inventory. */
export const totalOf = ({ stores }: Pick<Stock, "stores">): number =>
  Object.values(stores).reduce((sum, count) => sum + count, 0);
