import { get, keep, load, put, query, remove, send } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { labWork } from "../../lib/contract/queues.ts";
import {
  appointments,
  orderPlacements,
  orders,
  orderWork,
  outbox,
  results,
  slots,
  teams,
  users,
} from "../../lib/contract/resources.ts";
import { orderWorkMessage } from "../../lib/domain/orders/order-work.ts";
import { partnersOf } from "../../lib/labs/partners.ts";
import { visitPartnersOf } from "../../lib/labs/visit-partners.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { doWork } from "../../lib/runtime/doing-work.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Processes an order task that is due: a message to a laboratory or an appointment partner, or a simulation step. */
export const contract = consumer({
  operationId: "doLabWork",
  tag: "orders",
  summary: "Process an order task",
  trigger: { kind: "queue", queue: labWork, batchSize: 5, maxConcurrency: 20 },
  message: orderWorkMessage,
  access: [
    get(teams),
    get(users),
    get(orders),
    put(orders),
    get(orderWork),
    put(orderWork),
    remove(orderWork),
    get(appointments),
    put(appointments),
    query(slots),
    put(slots),
    remove(slots),
    put(outbox),
    load(orderPlacements),
    keep(orderPlacements),
    get(results),
    put(results),
    send(labWork),
  ],
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const { environment } = deployment();
  const partners = { findPartner: partnersOf(environment), findVisitPartner: visitPartnersOf(environment) };
  await startWork(uses.labWork, await doWork(scope, message, { ...uses, ...partners }), log);
});
