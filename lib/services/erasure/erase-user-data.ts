import {
  deleteItem,
  deleteObject,
  eraseItems,
  getItem,
  grants,
  listBucket,
  putItem,
  queryItems,
  updateItem,
} from "../../contract/access.ts";
import {
  appointments,
  deliveredData,
  eventFeed,
  labReports,
  matchReviews,
  orders,
  orderWork,
  outbox,
  receipts,
  requests,
  slots,
  usage,
  userKeys,
} from "../../contract/resources.ts";
import { userBuckets, userObjectPrefix, userPartitions } from "../../contract/user-partitions.ts";
import {
  type ConsentCounts,
  type ConsentOutcome,
  zeroConsentCounts,
} from "../../domain/erasure/erasure-certificate.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { UserKeyRing } from "../../runtime/aws/user-key-ring.ts";
import { ports } from "../../runtime/ports.ts";
import type { ConnectionCredentialStore } from "../../store/connections/connection-credentials.ts";
import type { DeliveredDataStore } from "../../store/connections/delivered-data.ts";
import type { EventFeedStore } from "../../store/events/event-feed.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { ReceiptStore } from "../../store/ingest/receipts.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UsageStore } from "../../store/usage/usage.ts";
import { removeFromFeed } from "../events/remove-from-feed.ts";
import { eraseOrders } from "../orders/erase-orders.ts";
import { inventoryTotal, takeInventory } from "./inventory.ts";

/** A store that can erase a user's data. */
interface Eraser {
  eraseUser(scope: TeamScope, userId: string): Promise<number>;
}

/** The stores that have both items and objects. */
const storedTogether = ["streams", "rawPayloads"] as const;
type StoredTogether = (typeof storedTogether)[number];
const isStoredTogether = (name: string): name is StoredTogether => storedTogether.some((one) => one === name);

/** Dependencies of an erasure. */
export type EraseUserDataDependencies = Parameters<typeof eraseOrders>[2] &
  Readonly<Record<(typeof userPartitions)[number]["store"], Eraser>> &
  Readonly<Record<Exclude<(typeof userBuckets)[number]["name"], StoredTogether>, Pick<Bucket, "deleteAll">>> & {
    readonly connectionCredentials: ConnectionCredentialStore;
    readonly outbox: OutboxStore;
    readonly eventFeed: EventFeedStore;
    readonly receipts: ReceiptStore;
    readonly deliveredData: DeliveredDataStore;
    readonly usage: UsageStore;
    readonly userKeys: Pick<UserKeyRing, "destroy">;
    readonly commit: (items: readonly WriteItem[]) => Promise<void>;
  };

/** Grants to read, change or delete item by item, and for objects, which their key prefix finds. */
export const eraseUserItemsAccess = grants(
  userBuckets.flatMap((bucket) => [listBucket(bucket), deleteObject(bucket)]),
  [getItem(orders), deleteItem(orders), deleteItem(requests)],
  [getItem(matchReviews), putItem(matchReviews), deleteItem(matchReviews)],
  [getItem(labReports), deleteItem(labReports), updateItem(labReports)],
  [getItem(usage), deleteItem(usage), updateItem(usage), deleteItem(slots)],
  [queryItems(outbox), deleteItem(outbox), getItem(eventFeed), queryItems(eventFeed), updateItem(eventFeed)],
  [queryItems(receipts), queryItems(deliveredData), updateItem(deliveredData)],
  [queryItems(userKeys), deleteItem(userKeys)],
);

/** Grants to delete whole partitions: those of the user and of each order. */
export const eraseUserPartitionsAccess = [...userPartitions, orders, orderWork, appointments].flatMap((entity) =>
  eraseItems(entity),
);

/**
 * Deletes all data of a user except the key and the record. Repeatable: a second run continues where the first stopped.
 * @param orderIds the user's orders at the start of the erasure.
 */
export async function eraseUserData(
  deps: EraseUserDataDependencies,
  scope: TeamScope,
  userId: string,
  orderIds: readonly string[],
): Promise<void> {
  // Receipts know sequences of events, and delivered data the stored bytes. Both go after what needs them.
  await deps.outbox.eraseUser(scope, userId, (events) => removeFromFeed(deps, scope, userId, events));
  // Entries of an idle feed outlive their events.
  await deps.eventFeed.removeUser(scope, userId, []);
  const held = await deps.deliveredData.takeBytes(scope, userId);
  await deps.usage.eraseUser(scope, userId, held, ports().clock.now(), deps.commit);
  for (const { store } of userPartitions) await deps[store].eraseUser(scope, userId);
  await eraseOrders(scope, userId, deps, orderIds);
  const begin = userObjectPrefix({ team_id: scope.teamId, user_id: userId });
  for (const { name } of userBuckets) {
    if (!isStoredTogether(name)) await deps[name].deleteAll(begin);
  }
}

/**
 * Destroys the key of a user whose data is erased, so that sealed data in backups becomes unreadable. Scans every place
 * for leftovers first. Idempotent.
 * @returns the number of scanned places.
 * @throws Error if data is left, which the next run erases.
 */
export async function destroyUserKey(
  deps: Pick<EraseUserDataDependencies, "usage" | "userKeys">,
  scope: TeamScope,
  userId: string,
  orderIds: readonly string[],
): Promise<number> {
  const { stores, places } = await takeInventory(deps, scope, userId, orderIds);
  const { [userKeys.store]: _, ...others } = stores;
  if (inventoryTotal({ stores: others }) > 0)
    throw new Error("data of the user was written during the erasure; run it again");
  await deps.userKeys.destroy(scope, userId);
  return places;
}

/** Counts the outcomes of revoking the user's consents at providers. No recorded outcome counts as failed. */
export async function countConsentOutcomes(
  { connectionCredentials }: Pick<EraseUserDataDependencies, "connectionCredentials">,
  scope: TeamScope,
  userId: string,
): Promise<ConsentCounts> {
  const counts: Record<ConsentOutcome, number> = { ...zeroConsentCounts };
  for (const { given_back = "failed" } of await connectionCredentials.list(scope, userId)) {
    counts[given_back]++;
  }
  return counts;
}
