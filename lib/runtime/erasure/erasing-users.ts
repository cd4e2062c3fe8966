import { userKeys as keyResource } from "../../contract/resources.ts";
import { objectsOf, userBuckets, userPartitions } from "../../contract/user-partitions.ts";
import { type ConsentOutcome, type Consents, noConsents } from "../../domain/erasure.ts";
import type { EventFeedStore } from "../../store/event-feed.ts";
import type { ConnectionCredentialStore } from "../../store/linking/connection-credentials.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UsageStore } from "../../store/usage.ts";
import { eraseOrders } from "../appointments/erasing-orders.ts";
import type { Bucket } from "../bucket.ts";
import { ports } from "../ports.ts";
import type { UserKeyRing } from "../user-keys.ts";
import { takeStock, totalOf } from "./taking-stock.ts";

/** A store that can erase a user's data. */
interface Eraser {
  eraseUser(scope: TeamScope, userId: string): Promise<number>;
}

/** Dependencies of an erasure. */
export type ErasingUses = Parameters<typeof eraseOrders>[2] &
  Readonly<Record<Exclude<(typeof userPartitions)[number]["store"], "streams">, Eraser>> &
  Readonly<Record<Exclude<(typeof userBuckets)[number]["name"], "streams">, Pick<Bucket, "dropAll">>> & {
    /** One store has both the items and the objects. */
    readonly streams: Eraser;
    readonly connectionCredentials: ConnectionCredentialStore;
    readonly outbox: OutboxStore;
    readonly eventFeed: EventFeedStore;
    readonly usage: UsageStore;
    readonly userKeys: Pick<UserKeyRing, "destroy">;
    readonly commit: (items: readonly WriteItem[]) => Promise<void>;
  };

/**
 * Deletes all data of a user except the key and the record. Repeatable: a second run continues where the first stopped.
 * @param orderIds the user's orders at the start of the erasure.
 */
export async function eraseAll(
  uses: ErasingUses,
  scope: TeamScope,
  userId: string,
  orderIds: readonly string[],
): Promise<void> {
  for (const { store } of userPartitions) await uses[store].eraseUser(scope, userId);
  await eraseOrders(scope, userId, uses, orderIds);
  await uses.outbox.eraseUser(scope, userId, (pages) => uses.eventFeed.forgetUser(scope, userId, pages));
  await uses.usage.eraseUser(scope, userId, ports().clock.now(), uses.commit);
  const begin = objectsOf({ team_id: scope.teamId, user_id: userId });
  for (const { name } of userBuckets) {
    if (name !== "streams") await uses[name].dropAll(begin);
  }
}

/**
 * Destroys the key of a user whose data is erased, so that sealed data in backups becomes unreadable. Scans every place
 * for leftovers first. Idempotent.
 * @returns the number of scanned places.
 * @throws Error if data is left, which the next run erases.
 */
export async function destroyKey(
  uses: Pick<ErasingUses, "usage" | "userKeys">,
  scope: TeamScope,
  userId: string,
  orderIds: readonly string[],
): Promise<number> {
  const { stores, places } = await takeStock(uses, scope, userId, orderIds);
  const { [keyResource.store]: _, ...others } = stores;
  if (totalOf({ stores: others }) > 0) throw new Error("data of the user was written during the erasure; run it again");
  await uses.userKeys.destroy(scope, userId);
  return places;
}

/** Counts the outcomes of revoking the user's consents at providers. No recorded outcome counts as failed. */
export async function consentsOf(
  { connectionCredentials }: Pick<ErasingUses, "connectionCredentials">,
  scope: TeamScope,
  userId: string,
): Promise<Consents> {
  const counts: Record<ConsentOutcome, number> = { ...noConsents };
  for (const { given_back = "failed" } of await connectionCredentials.list(scope, userId)) {
    counts[given_back]++;
  }
  return counts;
}
