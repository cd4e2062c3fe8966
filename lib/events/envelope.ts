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
});
export type EventReference = z.output<typeof eventReference>;

/** The body of every event (spec, Events). */
export const eventBody = z
  .object({
    event_type: z.string(),
    data: z.record(z.string(), z.unknown()),
    team_id: z.guid(),
    user_id: z.guid(),
    client_user_id: z.string(),
  })
  .meta({ id: "Event" });
export type EventBody = z.output<typeof eventBody>;
