import { get, getMany, open, put, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
import {
  accessLog,
  chunks,
  deliveries,
  deliveryLeases,
  deliveryMetrics,
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
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { attemptMessage } from "../../lib/events/delivery.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { attemptDelivery } from "../../lib/runtime/delivery-attempt.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Makes one attempt of a due delivery. The message only suggests an attempt; the lease and the stored delivery decide.
 */
export const contract = consumer({
  operationId: "attemptDelivery",
  tag: "webhooks",
  summary: "Attempt a delivery",
  trigger: { kind: "queue", queue: webhookAttempts, batchSize: 10, maxConcurrency: 50 },
  message: attemptMessage,
  access: [
    getMany(teams),
    getMany(users),
    getMany(webhookEndpoints),
    update(webhookEndpoints),
    getMany(endpointHealth),
    get(endpointHealth),
    update(endpointHealth),
    update(endpointRates),
    update(deliverySlots),
    getMany(deliveries),
    getMany(deliveryLeases),
    update(deliveries),
    update(deliveryLeases),
    update(deliveryMetrics),
    get(outbox),
    getMany(outbox),
    put(outbox),
    put(accessLog),
    getMany(newestEvents),
    getMany(chunks),
    ...underUserKeys,
    open(webhookSecretsKey),
    update(usage),
    send(webhookAttempts),
  ],
});

export const handler = consume(contract, ({ message, log }, uses) =>
  attemptDelivery({ scope: TeamScope.grant(message.team_id), message, log }, uses),
);
