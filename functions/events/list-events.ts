import * as z from "zod";
import { batchGetItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { eventFeed, outbox, users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readEvents, sequencedEvent } from "../../lib/services/events/event-page.ts";

/** Lists the events of the team in the order of publication, so that a receiver can find missed events. */
export const contract = endpoint({
  operationId: "listEvents",
  method: "GET",
  path: "/v2/events",
  tag: "events",
  summary: "List events in sequence order",
  auth: "team",
  params: noFields,
  query: z.object({
    after: queryInteger(0, Number.MAX_SAFE_INTEGER).default(0),
    limit: queryInteger(1, 500).default(100),
  }),
  response: z
    .object({
      events: z.array(sequencedEvent),
      next: z.number().int().meta({ description: "Pass it as `after` to get the next page" }),
    })
    .meta({ id: "EventPage" }),
  access: [getItem(eventFeed), queryItems(eventFeed), batchGetItem(users), batchGetItem(outbox)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, query }, deps) => {
  const events = await readEvents(deps, scope, query);
  return { events, next: events.at(-1)?.sequence ?? query.after };
});
