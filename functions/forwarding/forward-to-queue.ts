import { consumer } from "../../lib/contract/consumer.ts";
import { queueForwards } from "../../lib/contract/queues.ts";
import { forwardMessage } from "../../lib/events/forwarding/forward-message.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { forwardEvents, forwardEventsAccess } from "../../lib/services/forwarding/forward-events.ts";
import { queueTarget } from "../../lib/services/forwarding/queue-target.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events to the SQS queues of the deployment's configuration. */
export const contract = consumer({
  operationId: "forwardToQueue",
  tag: "forwarding",
  summary: "Forward events to SQS queues",
  trigger: { kind: "queue", queue: queueForwards, batchSize: 10, maxConcurrency: 20 },
  message: forwardMessage,
  access: forwardEventsAccess,
  memoryMb: 1024,
});

export const handler = consumeBatch(contract, (deliveries, deps) =>
  forwardEvents(deliveries, queueTarget, TeamScope.grant, deps),
);
