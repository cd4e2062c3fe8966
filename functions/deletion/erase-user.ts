import { drop, erase, get, list, put, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  appointments,
  erasures,
  eventFeed,
  labReports,
  matchReviews,
  orders,
  orderWork,
  outbox,
  requests,
  slots,
  usage,
  userKeys,
  users,
} from "../../lib/contract/resources.ts";
import { userBuckets, userPartitions } from "../../lib/contract/user-partitions.ts";
import { deletionInput } from "../../lib/domain/deletion.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { consentsOf, destroyKey, eraseAll } from "../../lib/runtime/erasure/erasing-users.ts";
import { takeStock } from "../../lib/runtime/erasure/taking-stock.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Entities whose partitions are deleted as a whole: those of the user and of each order. */
const erased = [...userPartitions, orders, orderWork, appointments] as const;

/** Grants for buckets, whose objects are found by key prefix. */
const emptied = userBuckets.flatMap((bucket) => [list(bucket), drop(bucket)]);

/** Grants for entities that are read, changed or deleted item by item. */
const single = [
  ...[get(orders), remove(orders), remove(requests), get(matchReviews), put(matchReviews), remove(matchReviews)],
  ...[get(labReports), remove(labReports), update(labReports)],
  ...[get(usage), remove(usage), update(usage)],
  ...[remove(slots), query(outbox), remove(outbox), get(eventFeed), update(eventFeed)],
  ...[query(userKeys), remove(userKeys)],
  ...[get(users), remove(users), get(erasures), put(erasures), update(erasures)],
] as const;

/**
 * Erases all data of a user, scans every place for leftovers and destroys the user key. The last transaction writes the
 * certificate and deletes the user record. After an interruption or a leftover, run the function again: each step is
 * idempotent.
 */
export const contract = consumer({
  operationId: "eraseUser",
  tag: "deletion",
  summary: "Erase the data of a user",
  trigger: { kind: "task" },
  message: deletionInput,
  access: [...emptied, ...single, ...erased.flatMap((entity) => erase(entity))],
  timeoutS: 300,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const { deletion_id, team_id, user_id, erase_at } = message;
  const scope = TeamScope.grant(team_id);
  const known = await uses.erasures.get(scope, user_id);
  const user = await uses.users.getAnyState(scope, user_id);
  // If the erasure is complete but the user exists, the user came back with a restored backup.
  if (known?.erased_at !== undefined && !user) return { erased: known.stores };
  const orderIds = [...new Set([...(known?.order_ids ?? []), ...(await uses.orders.idsOf(scope, user_id))])];
  const { stores } = known ?? (await takeStock(uses, scope, user_id, orderIds));
  const requested_at = user?.deletion_requested_at ?? erase_at;
  const consents = known?.consents ?? (await consentsOf(uses, scope, user_id));
  const beginning = { deletion_id, requested_at, stores, consents, order_ids: orderIds };
  const begun = await uses.erasures.begin(scope, user_id, beginning);
  await eraseAll(uses, scope, user_id, orderIds);
  const scan = { places: await destroyKey(uses, scope, user_id, orderIds), found: 0 };
  const end = uses.erasures.endItem(scope, user_id, { erased_at: isoNow(), scan });
  await uses.commit([end, uses.users.removeErasedItem(scope, user_id)]);
  log.info("user erased", { deletion_id, ...begun.stores });
  return { erased: begun.stores };
});
