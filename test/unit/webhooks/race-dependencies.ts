import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import { webhookEndpoint } from "../../../lib/events/webhooks/webhook-endpoint.ts";
import type { Log } from "../../../lib/runtime/log.ts";
import type { attemptDelivery } from "../../../lib/services/webhooks/attempt-delivery.ts";
import type { deliverEvents } from "../../../lib/services/webhooks/deliver-events.ts";
import { ReadCollector } from "../../../lib/store/read-collector.ts";
import type { ReadItem } from "../../../lib/store/read-item.ts";
import { Table } from "../../../lib/store/table.ts";
import { DeliveryStore } from "../../../lib/store/webhooks/deliveries.ts";
import { DeliveryLeaseStore } from "../../../lib/store/webhooks/delivery-leases.ts";
import { DeliverySlotStore } from "../../../lib/store/webhooks/delivery-slots.ts";
import { EndpointHealthStore } from "../../../lib/store/webhooks/endpoint-health.ts";

const EVENTS = 5;

const endpoint = webhookEndpoint.parse({
  endpoint_id: "e",
  team_id: "t",
  url: "https://receiver.example/",
  description: "",
  filter_types: [],
  disabled: false,
  sealed_secret: "",
  created_at: "",
  updated_at: "",
});
/** The events of a race, all with one ordering key. */
export const events: readonly EventReference[] = Array.from({ length: EVENTS }, (_, index) => ({
  ...{ team_id: "t", user_id: "u", event_id: `evt_${index}`, type: "provider.connection.created" },
  ...{ key: `k${index}`, version: 1, order_key: "one key" },
}));
const BODY = JSON.stringify({ event_type: "provider.connection.created", data: [], team_id: "t" });

export const log = { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} } as unknown as Log;

const isThere: ReadItem<boolean> = { table: "", keys: [], parse: () => true };

/** What the consumers of both queues use. */
export type RaceDependencies = Parameters<typeof deliverEvents>[2] & Parameters<typeof attemptDelivery>[1];

/** The queue, access log and usage of a race. */
interface RecordedCalls {
  readonly send: (...message: never[]) => Promise<void>;
  readonly sendAll: (...messages: never[]) => Promise<unknown>;
  readonly record: (...entry: never[]) => Promise<void>;
  readonly addAttempt: () => Promise<void>;
}

/** Real stores of deliveries, leases, slots and health, beside an endpoint, a team, a user and bodies that always exist. */
export function raceDependencies(
  documents: DynamoDBDocumentClient,
  { send, sendAll, record, addAttempt }: RecordedCalls,
): RaceDependencies {
  const table = new Table(documents, eventTable.name);
  const body = { ...isThere, parse: () => BODY };
  const reads = new ReadCollector(() => documents);
  const read = async (items: readonly ReadItem<unknown>[]) => {
    const queue = [...(await reads.read(items.filter(({ keys }) => keys.length > 0)))];
    return items.map((item) => (item.keys.length > 0 ? queue.shift() : item.parse([])));
  };
  return {
    read,
    deliveries: new DeliveryStore(table),
    deliveryLeases: new DeliveryLeaseStore(table),
    deliverySlots: new DeliverySlotStore(table),
    endpointHealth: new EndpointHealthStore(table),
    webhookEndpoints: { list: async () => [endpoint], readItem: () => ({ ...isThere, parse: () => endpoint }) },
    teams: { readActiveItem: () => isThere },
    users: { readActiveItem: () => isThere },
    outbox: { readInlineBodyItem: () => body, readBodyItem: () => body },
    newestEvents: { readItem: () => ({ ...isThere, parse: () => undefined }) },
    accessLog: { record },
    secrets: { decrypt: async () => "{}" },
    usage: { addAttempt },
    webhookAttempts: { send, sendAll },
  } as unknown as RaceDependencies;
}
