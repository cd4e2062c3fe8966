import * as z from "zod";
import { attemptError, cancelReason, cancelReasonOf, type Delivery, delivery } from "./delivery.ts";

/** State of the delivery of an event to an endpoint. */
export const deliveryState = delivery.shape.state;

/** A delivery as returned by the endpoint routes: ids only, no data. */
export const wireMessage = z
  .object({
    event_id: z.string().describe("The webhook-id"),
    user_id: z.string().nullable().describe("Null for an event of the team alone, or a test"),
    event_type: z.string(),
    state: deliveryState,
    reason: cancelReason.nullable().describe("Reason for a cancelled delivery"),
    created_at: z.string(),
    attempt_count: z.int(),
    last_status: z.int().nullable().describe("Status of the last response; 0 if none arrived"),
    next_attempt_at: z.string().nullable(),
  })
  .meta({ id: "WebhookMessage" });
export type WireMessage = z.output<typeof wireMessage>;

/** An attempt as returned. */
export const wireAttempt = z
  .object({
    at: z.string(),
    status: z.int().describe("0 if no complete response arrived"),
    duration_ms: z.number(),
    response: z.string().describe("The first kilobyte of the response"),
    error: attemptError.nullable(),
    probe: z.boolean().describe("Whether the attempt was a probe of a suspended endpoint"),
  })
  .meta({ id: "WebhookAttempt" });

/** Returns the response for a delivery. */
export function toWireMessage({ event, attempts, ...delivery }: Delivery): WireMessage {
  const { event_id, user_id, state, planned_at, next_attempt_at } = delivery;
  return {
    event_id,
    user_id: user_id === "" ? null : user_id,
    event_type: event.type,
    state,
    reason: cancelReasonOf({ event, attempts, ...delivery }) ?? null,
    created_at: planned_at,
    attempt_count: attempts.length,
    last_status: attempts.at(-1)?.status ?? null,
    next_attempt_at: state === "pending" ? next_attempt_at : null,
  };
}
