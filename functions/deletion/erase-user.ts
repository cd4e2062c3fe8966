import { drop, erase, get, list, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  chunks,
  connectionCredentials,
  deliveries,
  deliveryLeases,
  eventFeed,
  exportJobs,
  historicalPulls,
  insurances,
  newestEvents,
  orderPlacements,
  orders,
  orderWork,
  outbox,
  receipts,
  requests,
  sessions,
  streamRecords,
  streams,
  summaries,
  syncParts,
  usage,
  userExports,
  userInfos,
  users,
} from "../../lib/contract/resources.ts";
import { deletionInput } from "../../lib/domain/deletion.ts";
import { exportsOf } from "../../lib/domain/exports/export-job.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** What is deleted by whole partitions. */
const erased = [
  ...[chunks, summaries, streamRecords, receipts, exportJobs, userInfos, insurances, orders, orderWork, requests],
  ...[deliveries, deliveryLeases, newestEvents, connectionCredentials, historicalPulls, sessions, syncParts],
] as const;

/** What lies in buckets, and is found by what its names begin with. */
const emptied = [
  ...[list(streams), drop(streams), list(userExports), drop(userExports), list(orderPlacements), drop(orderPlacements)],
] as const;

/** What is looked at, changed or deleted item by item. */
const single = [
  ...[get(orders), remove(orders), remove(requests), get(usage), remove(usage), update(usage)],
  ...[query(outbox), remove(outbox), get(eventFeed), update(eventFeed), remove(users)],
] as const;

/** Erases everything kept of a user, its record last, so that an erasure that stopped half-way is simply run again. */
export const contract = consumer({
  operationId: "eraseUser",
  tag: "deletion",
  summary: "Erase the data of a user",
  trigger: { kind: "task" },
  message: deletionInput,
  access: [...emptied, ...single, ...erased.flatMap((entity) => erase(entity))],
  timeoutS: 300,
});

const dataStores = ["chunks", "summaries", "streams", "receipts", "exportJobs", "userInfos", "insurances"] as const;
const otherStores = ["requests", "deliveries", "deliveryLeases", "newestEvents", "sessions", "syncParts"] as const;
const stores = [...dataStores, ...otherStores, "connectionCredentials", "historicalPulls"] as const;

export const handler = consume(contract, async ({ message: { deletion_id, team_id, user_id }, log }, uses) => {
  const scope = TeamScope.grant(team_id);
  const counts: Record<string, number> = {};
  for (const store of stores) counts[store] = await uses[store].eraseUser(scope, user_id);
  counts.orders = await uses.orders.eraseUser(scope, user_id, (id) => uses.orderWork.eraseOrder(scope, id));
  await uses.orderPlacements.dropAll(`${team_id}/${user_id}/`);
  const forget = (pages: readonly string[]) => uses.eventFeed.forgetUser(scope, user_id, pages);
  counts.outbox = await uses.outbox.eraseUser(scope, user_id, forget);
  counts.usage = await uses.usage.eraseUser(scope, user_id, ports().clock.now(), uses.commit);
  await uses.userExports.dropAll(exportsOf({ team_id, user_id }));
  await uses.users.removeErased(scope, user_id);
  log.info("user erased", { deletion_id, ...counts });
  return { erased: counts };
});
