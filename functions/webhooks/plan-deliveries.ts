import { putItem, queryItems, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts, webhooks } from "../../lib/contract/queues.ts";
import { deliveries, webhookEndpoints } from "../../lib/contract/resources.ts";
import { eventReference } from "../../lib/events/catalogue/envelope.ts";
import { toAttemptMessage } from "../../lib/events/webhooks/delivery.ts";
import { isSubscribed } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { enqueueAttempt } from "../../lib/services/webhooks/attempt-queue.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Creates one delivery of an event for each subscribed endpoint of its team. */
export const contract = consumer({
  operationId: "planDeliveries",
  tag: "webhooks",
  summary: "Plan the deliveries of an event",
  trigger: { kind: "queue", queue: webhooks, batchSize: 10, maxConcurrency: 50 },
  message: eventReference,
  access: [queryItems(webhookEndpoints), putItem(deliveries), sendMessage(webhookAttempts)],
});

export const handler = consume(contract, async ({ message }, { webhookEndpoints, deliveries, webhookAttempts }) => {
  const endpoints = await webhookEndpoints.list(TeamScope.grant(message.team_id));
  const subscribed = endpoints.filter((endpoint) => isSubscribed(endpoint, message.type));
  const now = ports().clock.now();
  const planned = await Promise.all(subscribed.map(({ endpoint_id }) => deliveries.create(message, endpoint_id, now)));
  await Promise.all(planned.map((delivery) => enqueueAttempt(webhookAttempts, toAttemptMessage(delivery), now)));
});
