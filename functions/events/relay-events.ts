import { consumer } from "../../lib/contract/consumer.ts";
import { eventTable, outbox } from "../../lib/contract/resources.ts";
import { unsent } from "../../lib/contract/table-indexes.ts";
import { eventReference } from "../../lib/events/catalogue/envelope.ts";
import { EVENT_ID_PREFIX } from "../../lib/events/catalogue/event-id.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { publishAndSequence, relayEventsAccess } from "../../lib/services/events/relay-events.ts";

/**
 * Publishes events as soon as they are stored, except those of batches, which publish their events themselves. Best
 * effort: the sweeper publishes each event that the relay misses.
 */
export const contract = consumer({
  operationId: "relayEvents",
  tag: "events",
  summary: "Publish new events to the bus",
  trigger: {
    kind: "stream",
    table: eventTable,
    keyPrefix: outbox.keyPrefix,
    sortKeyPrefix: EVENT_ID_PREFIX,
    attribute: unsent.partitionKey,
    batchSize: 100,
    impact: "New events wait for the sweeper instead of being published at once.",
  },
  message: eventReference,
  access: relayEventsAccess,
});

export const handler = consumeBatch(contract, async (deliveries, deps) => {
  const references = deliveries.map(({ message }) => message);
  const failed = await publishAndSequence(references, deps);
  return deliveries.flatMap((delivery) =>
    failed.has(delivery.message) ? [{ delivery, error: failed.get(delivery.message) }] : [],
  );
});
