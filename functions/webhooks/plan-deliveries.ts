import { put, query, send } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts, webhooks } from "../../lib/contract/queues.ts";
import { deliveries, webhookEndpoints } from "../../lib/contract/resources.ts";
import { attemptMessageFor } from "../../lib/events/delivery.ts";
import { eventReference } from "../../lib/events/envelope.ts";
import { wants } from "../../lib/events/webhook-endpoint.ts";
import { lookAt } from "../../lib/runtime/attempt-queue.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Creates one delivery of an event for each subscribed endpoint of its team. */
export const contract = consumer({
  operationId: "planDeliveries",
  tag: "webhooks",
  summary: "Plan the deliveries of an event",
  trigger: { kind: "queue", queue: webhooks, batchSize: 10, maxConcurrency: 50 },
  message: eventReference,
  access: [query(webhookEndpoints), put(deliveries), send(webhookAttempts)],
});

export const handler = consume(contract, async ({ message }, { webhookEndpoints, deliveries, webhookAttempts }) => {
  const endpoints = await webhookEndpoints.list(TeamScope.grant(message.team_id));
  const wanting = endpoints.filter((endpoint) => wants(endpoint, message.type));
  const now = ports().clock.now();
  const planned = await Promise.all(wanting.map(({ endpoint_id }) => deliveries.plan(message, endpoint_id, now)));
  await Promise.all(planned.map((delivery) => lookAt(webhookAttempts, attemptMessageFor(delivery), now)));
});
