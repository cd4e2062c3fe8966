import * as z from "zod";
import { batchGetItem, grants, queryItems } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { eventFeed, outbox } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { relayEventsAccess } from "../../lib/services/events/relay-events.ts";
import { sweepEvents } from "../../lib/services/events/sweep-events.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Publishes events that the relay or their batch left. This guarantees that each stored event is published. */
export const contract = consumer({
  operationId: "sweepEvents",
  tag: "events",
  summary: "Publish events that were not published at once",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: grants([queryItems(outbox, "unsent"), batchGetItem(outbox), queryItems(eventFeed)], relayEventsAccess),
  timeoutS: 55,
});

export const handler = consume(contract, async ({ log }, deps) => {
  const { found, failed, nextDueAt } = await sweepEvents(deps, TeamScope.grant);
  if (found > 0) log.warn("events that were not published at once", { found, failed: failed.size });
  const [error] = failed.values();
  if (error !== undefined) log.error("events not published", error);
  return { next_due_at: nextDueAt === undefined ? null : new Date(nextDueAt).toISOString() };
});
