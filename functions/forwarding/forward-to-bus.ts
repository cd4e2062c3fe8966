import { consumer } from "../../lib/contract/consumer.ts";
import { busForwards } from "../../lib/contract/queues.ts";
import { forwardMessage } from "../../lib/events/forwarding/forward-message.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { busTarget } from "../../lib/services/forwarding/bus-target.ts";
import { forwardEvents, forwardEventsAccess } from "../../lib/services/forwarding/forward-events.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events, with their bodies, to the EventBridge buses of the deployment's configuration. */
export const contract = consumer({
  operationId: "forwardToBus",
  tag: "forwarding",
  summary: "Forward events to EventBridge buses",
  trigger: { kind: "queue", queue: busForwards, batchSize: 10, maxConcurrency: 20 },
  message: forwardMessage,
  access: forwardEventsAccess,
  memoryMb: 1024,
});

export const handler = consumeBatch(contract, (deliveries, deps) =>
  forwardEvents(deliveries, busTarget, TeamScope.grant, deps),
);
