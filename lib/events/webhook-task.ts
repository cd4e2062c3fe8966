import * as z from "zod";
import { utcInstant } from "../contract/parts.ts";

/** Names a task at an endpoint; all that its queue carries. */
export const webhookTaskName = z.object({ team_id: z.string(), endpoint_id: z.string(), task_id: z.string() });
export type WebhookTaskName = z.output<typeof webhookTaskName>;

/**
 * Many deliveries to be sent again, or for the first time: `recover` takes those of the endpoint that failed,
 * `replay_missing` the events of the team of which the endpoint has none.
 */
export const webhookTask = webhookTaskName.extend({
  kind: z.enum(["recover", "replay_missing"]),
  /** `stopped` when the endpoint was disabled or deleted meanwhile. */
  state: z.enum(["pending", "running", "done", "stopped"]),
  since: z.string(),
  until: z.string(),
  /** How many deliveries, or events, were looked at, */
  looked_at: z.int(),
  /** and how many of them are sent at least: what a step has sent that broke off is not counted. */
  sent: z.int(),
  /** Steps that were made; a step is made once. */
  step: z.int(),
  /** Where the next one goes on. */
  position: z.array(z.union([z.string(), z.number()])).default([]),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WebhookTask = z.output<typeof webhookTask>;

/** A task as answered. */
export const wireWebhookTask = z
  .object({
    id: z.guid(),
    kind: webhookTask.shape.kind,
    state: webhookTask.shape.state,
    since: z.string(),
    until: z.string(),
    looked_at: z.int().describe("Deliveries, or events, that were looked at so far"),
    sent: z.int().describe("How many of them are sent, at least"),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "WebhookTask" });

/** A task in the form in which it is answered. */
export function toWireTask({ task_id: id, ...task }: WebhookTask): z.output<typeof wireWebhookTask> {
  const { kind, state, since, until, looked_at, sent, created_at, updated_at } = task;
  return { id, kind, state, since, until, looked_at, sent, created_at, updated_at };
}

export const pastInstant = utcInstant.describe("ISO 8601 with an offset");
