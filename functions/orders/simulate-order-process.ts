import * as z from "zod";
import { getItem, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { openEnum } from "../../lib/contract/open-enum.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orders, orderWork, users } from "../../lib/contract/resources.ts";
import { queryInteger, successResponse } from "../../lib/contract/shared-schemas.ts";
import { type OrderTask, simulationFlags } from "../../lib/domain/lab-work/order-task.ts";
import { isOrderStatus, orderStatuses } from "../../lib/domain/orders/lifecycle/order-status.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { planSimulation } from "../../lib/labs/simulator/simulation-plan.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { findDefaultVenue } from "../../lib/services/appointments/find-default-venue.ts";
import { planSimulationTasks, requireSandbox } from "../../lib/services/lab-work/plan-simulation-tasks.ts";
import { executeOrderCommand } from "../../lib/services/orders/change-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

/** Maximum delay between two steps of a simulation: one day. */
const MAX_DELAY_S = 86_400;

export const contract = endpoint({
  operationId: "simulateOrderProcess",
  method: "POST",
  path: "/v3/order/{order_id}/test",
  tag: "orders",
  summary: "Simulate the progress of an order",
  description: [
    "Advances a sandbox order step by step to a status, as laboratories and couriers do in production.",
    "The response comes before the steps: the first follows at once, each other one `delay` seconds later.",
    "Another call replaces a running simulation; a change that leads the order another way ends it.",
    "Each step sends the events of its status. An order that already has the final status stays as it is.",
    "A kit gets its sample number with its first step, and steps of appointments book a free time.",
    "`not_possible` means that this is no sandbox or that no steps lead to the status.",
  ],
  auth: "team",
  params: orderParams,
  query: z.object({
    final_status: openEnum(orderStatuses)
      .max(100)
      .nullish()
      .describe("Full status. Default: the end of the path of success"),
    delay: queryInteger(0, MAX_DELAY_S).default(0).describe("Seconds between two steps"),
  }),
  body: simulationFlags.nullish(),
  response: successResponse,
  errors: [NotFound, NotPossible],
  access: [getItem(orders), putItem(orders), putItem(orderWork), getItem(users), sendMessage(labWork)],
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, query, body, log }, deps) => {
  requireSandbox();
  const tasks: OrderTask[] = [];
  await executeOrderCommand({ scope, team }, order_id, deps, async ({ order }, at) => {
    const { final_status, delay } = query;
    // No collection method has an unknown status.
    const isKnown = final_status == null || isOrderStatus(final_status);
    const plan = isKnown ? planSimulation(order, final_status ?? undefined, delay) : "other_method";
    tasks.splice(
      0,
      1,
      ...planSimulationTasks(order, plan, { flags: body ?? {}, meeting: await findDefaultVenue(order) }, at),
    );
    return { items: tasks.map((task) => deps.orderWork.putItem(scope, task)) };
  });
  await scheduleOrderTasks(deps.labWork, tasks, log);
  return { success: true };
});
