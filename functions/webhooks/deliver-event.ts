import {
  batchGetItem,
  decryptDataKey,
  getItem,
  putItem,
  queryItems,
  sendMessage,
  updateItem,
} from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts, webhooks } from "../../lib/contract/queues.ts";
import {
  accessLog,
  chunks,
  deliveries,
  deliveryLeases,
  deliverySlots,
  endpointHealth,
  endpointRates,
  newestEvents,
  outbox,
  teams,
  usage,
  users,
  webhookEndpoints,
  webhookSecretsKey,
} from "../../lib/contract/resources.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { eventReference } from "../../lib/events/catalogue/envelope.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { countRoutedEvents } from "../../lib/services/webhooks/count-metrics.ts";
import { deliverEvents } from "../../lib/services/webhooks/deliver-events.ts";
import { suspendEndpointAccess } from "../../lib/services/webhooks/failed-attempt.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Makes the first attempt of an event at each subscribed endpoint of its team, or leaves it to the attempt queue. */
export const contract = consumer({
  operationId: "deliverEvent",
  tag: "webhooks",
  summary: "Deliver an event to the webhook endpoints of its team",
  // Together with attemptDelivery at most 500 open attempts (docs/events.md, Delivery).
  trigger: { kind: "queue", queue: webhooks, batchSize: 10, maxConcurrency: 30 },
  message: eventReference,
  access: [
    queryItems(webhookEndpoints),
    updateItem(webhookEndpoints),
    batchGetItem(teams),
    batchGetItem(users),
    batchGetItem(endpointHealth),
    getItem(endpointHealth),
    updateItem(endpointHealth),
    updateItem(endpointRates),
    updateItem(deliverySlots),
    ...suspendEndpointAccess,
    putItem(deliveries),
    getItem(deliveryLeases),
    updateItem(deliveryLeases),
    getItem(outbox),
    batchGetItem(outbox),
    putItem(accessLog),
    batchGetItem(newestEvents),
    batchGetItem(chunks),
    ...userKeyAccess,
    decryptDataKey(webhookSecretsKey),
    updateItem(usage),
    sendMessage(webhookAttempts),
  ],
});

export const handler = consumeBatch(contract, (messages, deps) => {
  countRoutedEvents(messages);
  return deliverEvents(messages, TeamScope.grant, deps);
});
