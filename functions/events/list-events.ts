import * as z from "zod";
import { batchGetItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { eventFeed, outbox, users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readEvents, sequencedEvent } from "../../lib/services/events/event-page.ts";

export const contract = endpoint({
  operationId: "listEvents",
  method: "GET",
  path: "/v2/events",
  tag: "events",
  summary: "List events in sequence order",
  description: [
    "Returns the events of your team in the order of publication, each with its own sequence number.",
    "Use it after your receiver was down, to find the events that it missed.",
    "Store the last `next` and repeat with `after` until `events` is empty.",
    "A page holds 100 events unless `limit` says otherwise, at most 500; it ends earlier after 4 MB.",
    "Skip events whose `event_id` you know from the header `webhook-id`.",
    "A body is the event as first built, so read the current data; it is null once its user is deleted.",
    "The list goes back 30 days: a first sequence above `after` + 1 means that older events are gone.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    after: queryInteger(0, Number.MAX_SAFE_INTEGER).default(0).describe("Sequence after which the page begins"),
    limit: queryInteger(1, 500).default(100),
  }),
  response: z
    .object({
      events: z.array(sequencedEvent),
      next: z.number().int().meta({ description: "Pass it as `after` to get the next page" }),
    })
    .meta({ id: "EventPage" }),
  agentTool: {
    name: "list_events",
    description: ["Lists the events of the team in the order of their sequence: what was stored or changed, and when."],
    reach: "team",
    shortening: { kind: "list", of: "events" },
    rest: "Call again with `after` set to the `sequence` of the last event that you received.",
  },
  access: [getItem(eventFeed), queryItems(eventFeed), batchGetItem(users), batchGetItem(outbox)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, query }, deps) => {
  const events = await readEvents(deps, scope, query);
  return { events, next: events.at(-1)?.sequence ?? query.after };
});
