import * as z from "zod";

/** What the bus, queues and dead-letter queues carry of an event: ids only, so no personal data lies in them. */
export const eventReference = z.object({
  event_id: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  type: z.string(),
  /** What the event is about (a summary's id, a batch of samples, a connection); versions of one key replace each other. */
  key: z.string(),
  version: z.number().int(),
  /** What events may overwrite one another at a receiver have in common; absent where that is the key. */
  order_key: z.string().optional(),
});
export type EventReference = z.output<typeof eventReference>;

/** What an event has in common with those that may overwrite it at a receiver, or be overwritten by it. */
export const orderKeyOf = ({ order_key, key }: Pick<EventReference, "order_key" | "key">): string => order_key ?? key;

const common = z.object({
  event_type: z.string(),
  data: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).describe("What it is follows from the type"),
  team_id: z.guid(),
});

/** The body of an event of a user (spec, Events). */
export const userEventBody = common.extend({ user_id: z.guid(), client_user_id: z.string() }).meta({ id: "Event" });
export type UserEventBody = z.output<typeof userEventBody>;

/** The body of an event that is the team's alone: it names no user. */
export const teamEventBody = common.meta({ id: "TeamEvent" });
export type TeamEventBody = z.output<typeof teamEventBody>;

/** The body of any event. */
export const eventBody = z.union([userEventBody, teamEventBody]);
export type EventBody = z.output<typeof eventBody>;

/** Whether a body names a user. */
export const isOfUser = (body: EventBody): body is UserEventBody => "user_id" in body;
