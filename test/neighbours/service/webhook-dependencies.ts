import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { AttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import type { WebhookEndpoint } from "../../../lib/events/webhooks/webhook-endpoint.ts";
import type { attemptDelivery } from "../../../lib/services/webhooks/attempt-delivery.ts";
import type { deliverEvents } from "../../../lib/services/webhooks/deliver-events.ts";
import { ReadCollector } from "../../../lib/store/read-collector.ts";
import type { ReadItem } from "../../../lib/store/read-item.ts";
import { Table } from "../../../lib/store/table.ts";
import type { TeamScope } from "../../../lib/store/team-scope.ts";
import { DeliveryStore } from "../../../lib/store/webhooks/deliveries.ts";
import { DeliveryLeaseStore } from "../../../lib/store/webhooks/delivery-leases.ts";
import { DeliverySlotStore } from "../../../lib/store/webhooks/delivery-slots.ts";
import { EndpointHealthStore } from "../../../lib/store/webhooks/endpoint-health.ts";
import { EndpointRateStore } from "../../../lib/store/webhooks/endpoint-rates.ts";

/** What the consumers of both queues of webhooks, and the sweeper, use. */
export type WebhookDependencies = Parameters<typeof deliverEvents>[2] & Parameters<typeof attemptDelivery>[1];

/** What surrounds the stores. */
export interface Surroundings {
  readonly documents: DynamoDBDocumentClient;
  /** Ends when one request to a service of AWS has its answer. */
  readonly request: () => Promise<void>;
  readonly endpoints: (teamId: string) => readonly WebhookEndpoint[];
  readonly enqueue: (message: AttemptMessage, delayMs: number) => void;
  /** Called when the attempt with this id of the access log is about to send its request. */
  readonly announce: (attemptId: string) => void;
}

/** A read that costs nothing beside the others of its request. */
const present = <T>(value: T): ReadItem<T> => ({ table: "", keys: [], parse: () => value });
const body = JSON.stringify({
  event_type: "provider.connection.created",
  data: [],
  team_id: "00000000-0000-4000-8000-000000000000",
});

/** The real stores of webhooks beside teams, users and bodies that always exist, as one container has them. */
export function webhookDependencies(around: Surroundings): WebhookDependencies {
  const { documents, request, endpoints, enqueue, announce } = around;
  const table = new Table(documents, eventTable.name);
  const reads = new ReadCollector(() => documents);
  const read = async (items: readonly ReadItem<unknown>[]) => {
    const found = [...(await reads.read(items.filter(({ keys }) => keys.length > 0)))];
    return items.map((item) => (item.keys.length > 0 ? found.shift() : item.parse([])));
  };
  const endpoint = (scope: TeamScope, id: string) =>
    endpoints(scope.teamId).find(({ endpoint_id }) => endpoint_id === id);
  return {
    read,
    deliveries: new DeliveryStore(table),
    deliveryLeases: new DeliveryLeaseStore(table),
    deliverySlots: new DeliverySlotStore(table),
    endpointHealth: new EndpointHealthStore(table),
    endpointRates: new EndpointRateStore(table),
    webhookEndpoints: {
      list: async (scope: TeamScope) => request().then(() => endpoints(scope.teamId)),
      readItem: (scope: TeamScope, id: string) => present(endpoint(scope, id)),
      disable: request,
    },
    teams: { readActiveItem: () => present(true) },
    users: { readActiveItem: () => present(true) },
    outbox: { readInlineBodyItem: () => present(body), readBodyItem: () => present(body), append: request },
    newestEvents: { readItem: () => present(undefined) },
    accessLog: { record: (_: TeamScope, { id }: { readonly id: string }) => request().then(() => announce(id)) },
    secrets: { decrypt: async () => "{}" },
    usage: { addAttempt: request },
    webhookAttempts: {
      send: async (message: AttemptMessage, { delayS = 0 } = {}) => {
        await request();
        enqueue(message, delayS * 1000);
      },
      sendAll: async (messages: readonly AttemptMessage[], { delayS = 0 } = {}) => {
        for (let first = 0; first < messages.length; first += 10) {
          await request();
          for (const message of messages.slice(first, first + 10)) enqueue(message, delayS * 1000);
        }
      },
    },
  } as unknown as WebhookDependencies;
}
