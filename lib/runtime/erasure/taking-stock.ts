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

/** How much there is of a user, by place: only where there is something; and in how many places was looked. */
export interface Stock {
  readonly stores: Readonly<Record<string, number>>;
  readonly places: number;
}

/** Partitions that are counted at the same time. */
const COUNTS_AT_ONCE = 16;

/** The name of a bucket in a certificate, where items may be kept under the same one. */
const objectsIn = ({ name }: BucketResource): string => `${name}_objects`;

/**
 * Counts what is kept of a user, by reading every place anew.
 * @param orderIds the orders that the user has, or had when the erasure began.
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

/** How much a stock has in all. */
export const totalOf = ({ stores }: Pick<Stock, "stores">): number =>
  Object.values(stores).reduce((sum, count) => sum + count, 0);
