import { consumer } from "../../lib/contract/consumer.ts";
import { kinesisForwards } from "../../lib/contract/queues.ts";
import { forwardMessage } from "../../lib/events/forwarding/forward-message.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { forwardEvents, forwardEventsAccess } from "../../lib/services/forwarding/forward-events.ts";
import { kinesisTarget } from "../../lib/services/forwarding/kinesis-target.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events to the Kinesis streams of the deployment's configuration. */
export const contract = consumer({
  operationId: "forwardToKinesis",
  tag: "forwarding",
  summary: "Forward events to Kinesis streams",
  trigger: { kind: "queue", queue: kinesisForwards, batchSize: 10, maxConcurrency: 20 },
  message: forwardMessage,
  access: forwardEventsAccess,
  memoryMb: 1024,
});

export const handler = consumeBatch(contract, (deliveries, deps) =>
  forwardEvents(deliveries, kinesisTarget, TeamScope.grant, deps),
);
