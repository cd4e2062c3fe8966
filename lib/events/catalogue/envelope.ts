import * as z from "zod";

/** The reference of an event on the bus, in queues and in dead-letter queues: ids only, no personal data. */
export const eventReference = z.object({
  event_id: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  type: z.string(),
  /**
   * Subject of the event (a summary's id, a batch of samples, a connection). Versions of one key replace each other.
   */
  key: z.string(),
  version: z.number().int(),
  /** Ordering key: events that may overwrite each other at a receiver share it. Absent if it equals `key`. */
  order_key: z.string().optional(),
  /** W3C Trace Context of the run that stored the event. Absent in events of earlier versions. */
  traceparent: z.string().optional(),
});
export type EventReference = z.output<typeof eventReference>;

/** Returns the ordering key of an event: events that may overwrite each other at a receiver share it. */
export const orderingKeyOf = ({ order_key, key }: Pick<EventReference, "order_key" | "key">): string =>
  order_key ?? key;

const common = z.object({
  event_type: z.string(),
  data: z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .describe("Its schema depends on the event type"),
  team_id: z.guid(),
});

/** Body of an event of a user. */
export const userEventBody = common.extend({ user_id: z.guid(), client_user_id: z.string() }).meta({ id: "Event" });
export type UserEventBody = z.output<typeof userEventBody>;

/** Body of an event of the team alone. It names no user. */
export const teamEventBody = common.meta({ id: "TeamEvent" });

/** Body of any event. */
export const eventBody = z.union([userEventBody, teamEventBody]);
export type EventBody = z.output<typeof eventBody>;

/** Whether a body names a user. */
export const isUserEvent = (body: EventBody): body is UserEventBody => "user_id" in body;
