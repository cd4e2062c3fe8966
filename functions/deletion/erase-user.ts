import { drop, erase, get, list, put, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  appointments,
  eventFeed,
  labReports,
  matchReviews,
  orderPlacements,
  orders,
  orderWork,
  outbox,
  reportFiles,
  reportUploads,
  requests,
  slots,
  streams,
  usage,
  userExports,
  users,
} from "../../lib/contract/resources.ts";
import { userPartitions } from "../../lib/contract/user-partitions.ts";
import { deletionInput } from "../../lib/domain/deletion.ts";
import { exportsOf } from "../../lib/domain/exports/export-job.ts";
import { reportsOf } from "../../lib/domain/lab-reports/report-job.ts";
import { eraseOrders } from "../../lib/runtime/appointments/erasing-orders.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Partitions that are deleted whole: the user's own, and those of each order. */
const erased = [...userPartitions, orders, orderWork, appointments] as const;

/** What lies in buckets, and is found by what its names begin with. */
const emptied = [streams, userExports, orderPlacements, reportFiles, reportUploads].flatMap((bucket) => [
  list(bucket),
  drop(bucket),
]);

/** What is looked at, changed or deleted item by item. */
const single = [
  ...[get(orders), remove(orders), remove(requests), get(matchReviews), put(matchReviews), remove(matchReviews)],
  ...[get(labReports), remove(labReports), update(labReports)],
  ...[get(usage), remove(usage), update(usage)],
  ...[remove(slots), query(outbox), remove(outbox), get(eventFeed), update(eventFeed), remove(users)],
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

export const handler = consume(contract, async ({ message, log }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const counts: Record<string, number> = {};
  for (const { store } of userPartitions) counts[store] = await uses[store].eraseUser(scope, message.user_id);
  counts.orders = await eraseOrders(scope, message.user_id, uses);
  await uses.orderPlacements.dropAll(`${message.team_id}/${message.user_id}/`);
  counts.outbox = await uses.outbox.eraseUser(scope, message.user_id, (pages) =>
    uses.eventFeed.forgetUser(scope, message.user_id, pages),
  );
  counts.usage = await uses.usage.eraseUser(scope, message.user_id, ports().clock.now(), uses.commit);
  await uses.userExports.dropAll(exportsOf(message));
  await uses.reportFiles.dropAll(reportsOf(message));
  await uses.reportUploads.dropAll(reportsOf(message));
  await uses.users.removeErased(scope, message.user_id);
  log.info("user erased", { deletion_id: message.deletion_id, ...counts });
  return { erased: counts };
});
