import * as z from "zod";
import { utcInstant } from "../../contract/shared-schemas.ts";

/** Identifies a task of an endpoint; the message of its queue. */
export const webhookTaskReference = z.object({ team_id: z.string(), endpoint_id: z.string(), task_id: z.string() });
export type WebhookTaskReference = z.output<typeof webhookTaskReference>;

/**
 * A task that sends many deliveries again, or for the first time: `recover` resends failed deliveries of the endpoint,
 * `replay_missing` sends the team's events that the endpoint has not received.
 */
export const webhookTask = webhookTaskReference.extend({
  kind: z.enum(["recover", "replay_missing"]),
  /** `stopped` if the endpoint was disabled or deleted. */
  state: z.enum(["pending", "running", "done", "stopped"]),
  since: z.string(),
  until: z.string(),
  /** Number of deliveries, or events, checked, */
  looked_at: z.int(),
  /** and the minimum number sent: a step that was interrupted does not count. */
  sent: z.int(),
  /** Completed steps. Each step runs once. */
  step: z.int(),
  /** Position at which the next step continues. */
  position: z.array(z.union([z.string(), z.number()])).default([]),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WebhookTask = z.output<typeof webhookTask>;

/** A task as returned. */
export const wireWebhookTask = z
  .object({
    id: z.guid(),
    kind: webhookTask.shape.kind,
    state: webhookTask.shape.state,
    since: z.string(),
    until: z.string(),
    looked_at: z.int().describe("Deliveries, or events, checked so far"),
    sent: z.int().describe("Minimum number of deliveries sent"),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "WebhookTask" });

/** Returns the response for a task. */
export function toWireTask({ task_id: id, ...task }: WebhookTask): z.output<typeof wireWebhookTask> {
  const { kind, state, since, until, looked_at, sent, created_at, updated_at } = task;
  return { id, kind, state, since, until, looked_at, sent, created_at, updated_at };
}

/** Start of the range of a task. The service refuses a start in the future when it starts the task. */
export const pastInstant = utcInstant.describe("ISO 8601 with an offset, not in the future");
