import { drop, erase, get, list, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  chunks,
  deliveries,
  deliveryLeases,
  eventFeed,
  exportJobs,
  insurances,
  newestEvents,
  orderPlacements,
  orders,
  orderWork,
  outbox,
  receipts,
  requests,
  streamRecords,
  streams,
  summaries,
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

/** Erases everything kept of a user, its record last, so that an erasure that stopped half-way is simply run again. */
export const contract = consumer({
  operationId: "eraseUser",
  tag: "deletion",
  summary: "Erase the data of a user",
  trigger: { kind: "task" },
  message: deletionInput,
  access: [
    ...erase(chunks),
    ...erase(summaries),
    ...erase(streamRecords),
    list(streams),
    drop(streams),
    query(outbox),
    remove(outbox),
    get(eventFeed),
    update(eventFeed),
    ...erase(deliveries),
    ...erase(deliveryLeases),
    ...erase(newestEvents),
    ...erase(receipts),
    ...erase(exportJobs),
    ...erase(userInfos),
    ...erase(insurances),
    ...erase(orders),
    get(orders),
    remove(orders),
    ...erase(orderWork),
    ...erase(requests),
    remove(requests),
    list(orderPlacements),
    drop(orderPlacements),
    list(userExports),
    drop(userExports),
    get(usage),
    remove(usage),
    update(usage),
    remove(users),
  ],
  timeoutS: 300,
});

const dataStores = [
  "chunks",
  "summaries",
  "streams",
  "receipts",
  "exportJobs",
  "userInfos",
  "insurances",
  "requests",
] as const;
const deliveryStores = ["deliveries", "deliveryLeases", "newestEvents"] as const;

export const handler = consume(contract, async ({ message, log }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const erased: Record<string, number> = {};
  for (const store of [...dataStores, ...deliveryStores]) {
    erased[store] = await uses[store].eraseUser(scope, message.user_id);
  }
  erased.orders = await uses.orders.eraseUser(scope, message.user_id, (id) => uses.orderWork.eraseOrder(scope, id));
  await uses.orderPlacements.dropAll(`${message.team_id}/${message.user_id}/`);
  erased.outbox = await uses.outbox.eraseUser(scope, message.user_id, (pages) =>
    uses.eventFeed.forgetUser(scope, message.user_id, pages),
  );
  erased.usage = await uses.usage.eraseUser(scope, message.user_id, ports().clock.now(), uses.commit);
  await uses.userExports.dropAll(exportsOf(message));
  await uses.users.removeErased(scope, message.user_id);
  log.info("user erased", { deletion_id: message.deletion_id, ...erased });
  return { erased };
});
