import { get, getMany, put } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { busForwards } from "../../lib/contract/queues.ts";
import { accessLog, outbox, teams, users } from "../../lib/contract/resources.ts";
import { forwardMessage } from "../../lib/events/forward-message.ts";
import { busTarget } from "../../lib/runtime/bus-target.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { forwardAll } from "../../lib/runtime/forwarding.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events, with their bodies, to the EventBridge buses of the deployment's configuration. */
export const contract = consumer({
  operationId: "forwardToBus",
  tag: "forwarding",
  summary: "Forward events to EventBridge buses",
  trigger: { kind: "queue", queue: busForwards, batchSize: 10, maxConcurrency: 20 },
  message: forwardMessage,
  access: [getMany(outbox), get(teams), getMany(users), put(accessLog)],
  memoryMb: 1024,
});

export const handler = consumeBatch(contract, (deliveries, uses) =>
  forwardAll(deliveries, busTarget, TeamScope.grant, uses),
);
