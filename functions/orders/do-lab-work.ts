import { grants, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orderTaskMessage } from "../../lib/domain/lab-work/order-task.ts";
import { labPartnersFor } from "../../lib/labs/lab-partners.ts";
import { visitPartnersFor } from "../../lib/labs/visit-partners.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { processOrderTask, processOrderTaskAccess } from "../../lib/services/lab-work/process-order-task.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Processes an order task that is due: a message to a laboratory or an appointment partner, or a simulation step. */
export const contract = consumer({
  operationId: "doLabWork",
  tag: "orders",
  summary: "Process an order task",
  trigger: { kind: "queue", queue: labWork, batchSize: 5, maxConcurrency: 20 },
  message: orderTaskMessage,
  access: grants(processOrderTaskAccess, sendMessage(labWork)),
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  const { environment } = deployment();
  const partners = { findPartner: labPartnersFor(environment), findVisitPartner: visitPartnersFor(environment) };
  await scheduleOrderTasks(deps.labWork, await processOrderTask(scope, message, { ...deps, ...partners }), log);
});
