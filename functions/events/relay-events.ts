import { get, publish, put, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { bus, eventFeed, eventTable, outbox, usage } from "../../lib/contract/resources.ts";
import { eventReference } from "../../lib/events/envelope.ts";
import { EVENT_ID_PREFIX } from "../../lib/events/event-id.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { relay } from "../../lib/runtime/relaying.ts";

/** Publishes events as soon as they are stored. Best effort: the sweeper publishes each event that the relay misses. */
export const contract = consumer({
  operationId: "relayEvents",
  tag: "events",
  summary: "Publish new events to the bus",
  trigger: {
    kind: "stream",
    table: eventTable,
    keyPrefix: outbox.keyPrefix,
    sortKeyPrefix: EVENT_ID_PREFIX,
    batchSize: 100,
  },
  message: eventReference,
  access: [publish(bus), get(eventFeed), update(eventFeed), put(eventFeed), update(outbox), update(usage)],
});

export const handler = consumeBatch(contract, async (deliveries, uses) => {
  const references = deliveries.map(({ message }) => message);
  const failed = await relay(references, uses);
  return deliveries.flatMap((delivery) =>
    failed.has(delivery.message) ? [{ delivery, error: failed.get(delivery.message) }] : [],
  );
});
