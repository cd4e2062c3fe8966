import { get, getMany, put } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { kinesisForwards } from "../../lib/contract/queues.ts";
import { accessLog, outbox, teams, users } from "../../lib/contract/resources.ts";
import { forwardMessage } from "../../lib/events/forward-message.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { forwardAll } from "../../lib/runtime/forwarding.ts";
import { kinesisTarget } from "../../lib/runtime/kinesis-target.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Sends events to the Kinesis streams of the deployment's configuration. */
export const contract = consumer({
  operationId: "forwardToKinesis",
  tag: "forwarding",
  summary: "Forward events to Kinesis streams",
  trigger: { kind: "queue", queue: kinesisForwards, batchSize: 10, maxConcurrency: 20 },
  message: forwardMessage,
  access: [getMany(outbox), get(teams), getMany(users), put(accessLog)],
  memoryMb: 1024,
});

export const handler = consumeBatch(contract, (deliveries, uses) =>
  forwardAll(deliveries, kinesisTarget, TeamScope.grant, uses),
);
