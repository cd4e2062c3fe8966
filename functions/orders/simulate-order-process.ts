import * as z from "zod";
import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { openEnum } from "../../lib/contract/open-enum.ts";
import { queryInteger, success } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orders, orderWork, users } from "../../lib/contract/resources.ts";
import { orderStatuses } from "../../lib/domain/orders/order-status.ts";
import { type OrderWork, simulationFlags } from "../../lib/domain/orders/order-work.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { planWalk } from "../../lib/labs/simulator/walk-plan.ts";
import { usualMeeting } from "../../lib/runtime/appointments/usual-meeting.ts";
import { commandOrder } from "../../lib/runtime/changing-orders.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireSandbox, workOf } from "../../lib/runtime/simulating.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/** Maximum delay between two steps of a simulation: one day. */
const LONGEST_DELAY_S = 86_400;

/** Advances a sandbox order step by step to a status. Another call replaces a running simulation. */
export const contract = endpoint({
  operationId: "simulateOrderProcess",
  method: "POST",
  path: "/v3/order/{order_id}/test",
  tag: "orders",
  summary: "Simulate the progress of an order",
  auth: "team",
  params: orderParams,
  query: z.object({
    final_status: openEnum(orderStatuses)
      .max(100)
      .nullish()
      .describe("Full status. Default: the end of the path of success"),
    delay: queryInteger(0, LONGEST_DELAY_S).default(0).describe("Seconds between two steps"),
  }),
  body: simulationFlags.nullish(),
  response: success,
  errors: [NotFound, NotPossible],
  access: [get(orders), put(orders), put(orderWork), get(users), send(labWork)],
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, query, body, log }, uses) => {
  requireSandbox();
  const work: OrderWork[] = [];
  await commandOrder({ scope, team }, order_id, uses, async ({ order }, at) => {
    const plan = planWalk(order, query.final_status ?? undefined, query.delay);
    work.splice(0, 1, ...workOf(order, plan, { flags: body ?? {}, meeting: await usualMeeting(order) }, at));
    return { items: work.map((piece) => uses.orderWork.putItem(scope, piece)) };
  });
  await startWork(uses.labWork, work, log);
  return { success: true };
});
