import type { BucketResource } from "../../contract/resource-kinds.ts";
import { usage } from "../../contract/resources.ts";
import { userBuckets, userObjectPrefix } from "../../contract/user-partitions.ts";
import { locateResource, openTable } from "../../runtime/aws/aws.ts";
import { Bucket } from "../../runtime/aws/bucket.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import {
  type EntityPartitions,
  listOrderPartitions,
  listUserPartitions,
} from "../../store/erasure/entity-partitions.ts";
import type { TeamScope } from "../../store/team-scope.ts";

type InventoryDependencies = Dependencies<"usage">;

/** The inventory of a user: counts per store, non-zero only, and the number of scanned places. */
export interface Inventory {
  readonly stores: Readonly<Record<string, number>>;
  readonly places: number;
}

/** Maximum number of concurrent counts. */
const CONCURRENT_COUNTS = 16;

/** The name of a bucket in a certificate. The suffix separates it from a store with the same name. */
const objectsName = ({ name }: BucketResource): string => `${name}_objects`;

/**
 * Counts the data of a user by reading every place.
 * @param orderIds the user's orders, now or at the start of the erasure.
 */
export async function takeInventory(
  { usage: store }: InventoryDependencies,
  scope: TeamScope,
  userId: string,
  orderIds: readonly string[],
): Promise<Inventory> {
  const owner = { team_id: scope.teamId, user_id: userId };
  const places = [...listUserPartitions(owner), ...listOrderPartitions(owner, orderIds)];
  const partitions = places.flatMap(({ entity, partitions }) => partitions.map((pk) => ({ entity, pk })));
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => {
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  for (let first = 0; first < partitions.length; first += CONCURRENT_COUNTS) {
    await Promise.all(partitions.slice(first, first + CONCURRENT_COUNTS).map((one) => countItems(one, add)));
  }
  for (const bucket of userBuckets) {
    add(objectsName(bucket), await new Bucket(locateResource(bucket)).count(userObjectPrefix(owner)));
  }
  if (await store.hasStoredBytes(scope, userId)) add(usage.store, 1);
  return { stores: Object.fromEntries(counts), places: partitions.length + userBuckets.length + 1 };
}

async function countItems(
  { entity, pk }: { readonly entity: EntityPartitions["entity"]; readonly pk: string },
  add: (name: string, count: number) => void,
): Promise<void> {
  add(entity.store, await openTable(entity.table).countPartition(pk));
}

/** Returns the total count of an inventory. */
export const inventoryTotal = ({ stores }: Pick<Inventory, "stores">): number =>
  Object.values(stores).reduce((sum, count) => sum + count, 0);
