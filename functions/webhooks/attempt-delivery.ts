import { batchGetItem, decryptDataKey, getItem, putItem, sendMessage, updateItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
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
import { attemptMessage } from "../../lib/events/webhooks/delivery.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { attemptDelivery } from "../../lib/services/webhooks/attempt-delivery.ts";
import { suspendEndpointAccess } from "../../lib/services/webhooks/failed-attempt.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Makes one attempt of a due delivery. The message only suggests an attempt; the lease and the stored delivery decide.
 */
export const contract = consumer({
  operationId: "attemptDelivery",
  tag: "webhooks",
  summary: "Attempt a delivery",
  // Together with deliverEvent at most 500 open attempts (docs/events.md, Delivery).
  trigger: { kind: "queue", queue: webhookAttempts, batchSize: 10, maxConcurrency: 20 },
  message: attemptMessage,
  access: [
    batchGetItem(teams),
    batchGetItem(users),
    batchGetItem(webhookEndpoints),
    updateItem(webhookEndpoints),
    batchGetItem(endpointHealth),
    getItem(endpointHealth),
    updateItem(endpointHealth),
    updateItem(endpointRates),
    updateItem(deliverySlots),
    ...suspendEndpointAccess,
    batchGetItem(deliveryLeases),
    updateItem(deliveries),
    updateItem(deliveryLeases),
    getItem(outbox),
    batchGetItem(outbox),
    putItem(outbox),
    putItem(accessLog),
    batchGetItem(newestEvents),
    batchGetItem(chunks),
    ...userKeyAccess,
    decryptDataKey(webhookSecretsKey),
    updateItem(usage),
    sendMessage(webhookAttempts),
  ],
});

export const handler = consume(contract, ({ message, log }, deps) =>
  attemptDelivery({ scope: TeamScope.grant(message.team_id), message, log }, deps),
);
