import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { outbox } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { publishAndSequence, relayEventsAccess } from "../../lib/services/events/relay-events.ts";

/** Time in which the relay publishes a new event. */
const RELAY_TIME_MS = 60_000;

/** Publishes events that the relay missed. This guarantees that each stored event is published. */
export const contract = consumer({
  operationId: "sweepEvents",
  tag: "events",
  summary: "Publish events that the relay missed",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [queryItems(outbox, "unsent"), ...relayEventsAccess],
  timeoutS: 55,
});

export const handler = consume(contract, async ({ log }, deps) => {
  const { unsent, nextDueAt } = await deps.outbox.listUnsent(ports().clock.now() - RELAY_TIME_MS);
  const failed = await publishAndSequence(unsent, deps);
  if (unsent.length > 0) log.warn("events that the relay missed", { found: unsent.length, failed: failed.size });
  const [error] = failed.values();
  if (error !== undefined) log.error("events not published", error);
  return { next_due_at: nextDueAt === undefined ? null : new Date(nextDueAt + RELAY_TIME_MS).toISOString() };
});
