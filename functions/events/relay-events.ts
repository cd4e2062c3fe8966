import { publish, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { bus, eventTable, outbox } from "../../lib/contract/resources.ts";
import { eventReference } from "../../lib/events/envelope.ts";
import { consume } from "../../lib/runtime/consume.ts";

/** Publishes new events the moment they are written. Speed only: what it misses, the sweeper publishes. */
export const contract = consumer({
  operationId: "relayEvents",
  tag: "events",
  summary: "Publish new events to the bus",
  trigger: { kind: "stream", table: eventTable, keyPrefix: outbox.keyPrefix, batchSize: 100 },
  message: eventReference,
  access: [publish(bus), update(outbox)],
});

export const handler = consume(contract, async ({ message }, { bus, outbox }) => {
  const [taken] = await bus.publish([message]);
  if (!taken) throw new Error("the bus refused the event");
  await outbox.markSent(message);
});
