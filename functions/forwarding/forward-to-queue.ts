import { get, getMany, put } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { queueForwards } from "../../lib/contract/queues.ts";
import { accessLog, outbox, teams, users } from "../../lib/contract/resources.ts";
import { forwardMessage } from "../../lib/events/forward-message.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { forwardAll } from "../../lib/runtime/forwarding.ts";
import { queueTarget } from "../../lib/runtime/queue-target.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events to the SQS queues of the deployment's configuration. */
export const contract = consumer({
  operationId: "forwardToQueue",
  tag: "forwarding",
  summary: "Forward events to SQS queues",
  trigger: { kind: "queue", queue: queueForwards, batchSize: 10, maxConcurrency: 20 },
  message: forwardMessage,
  access: [getMany(outbox), get(teams), getMany(users), put(accessLog)],
  memoryMb: 1024,
});

export const handler = consumeBatch(contract, (deliveries, uses) =>
  forwardAll(deliveries, queueTarget, TeamScope.grant, uses),
);
