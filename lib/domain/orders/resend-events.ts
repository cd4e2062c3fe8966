import * as z from "zod";
import { utcInstant } from "../../contract/shared-schemas.ts";
import type { RequestProblem } from "../lab-tests/select-markers.ts";
import type { OrderListing } from "./order-list.ts";

const MAX_RANGE_MS = 60 * 24 * 60 * 60 * 1000;

/** Request to send the events of orders again, selected by id or by time of the last update. */
export const resendDraft = z.object({
  order_ids: z.array(z.guid().toLowerCase()).min(1).max(500).nullish(),
  start_at: utcInstant.nullish().describe("First instant of the last change of an order"),
  end_at: utcInstant.nullish().describe("Defaults to the current time; at most 60 days after start_at"),
});

/** Orders whose events are sent again. */
export const resentOrders = z.object({ order_ids: z.array(z.guid()) }).meta({ id: "ResentOrders" });

/** Selected orders: their ids, or a filter over all orders of the team. */
export type ResendSelection =
  | { readonly ids: readonly string[] }
  | { readonly idWithin: (order: OrderListing) => readonly string[] };

const tooLongAgo: RequestProblem = { loc: ["body", "start_at"], msg: "More than 60 days ago" };

/** Validates a request and returns the selected orders, or the problems. @param now ISO 8601. */
export function parseResendRequest(
  { order_ids, start_at, end_at }: z.output<typeof resendDraft>,
  now: string,
): ResendSelection | RequestProblem[] {
  if (order_ids)
    return start_at ? [{ loc: ["body", "start_at"], msg: "Give either order_ids or start_at" }] : { ids: order_ids };
  if (!start_at) return [{ loc: ["body", "order_ids"], msg: "Give order_ids or start_at" }];
  const until = end_at ?? now;
  if (until < start_at && !end_at) return [{ loc: ["body", "start_at"], msg: "Later than now" }];
  if (until < start_at) return [{ loc: ["body", "end_at"], msg: "Before start_at" }];
  if (Date.parse(until) - Date.parse(start_at) > MAX_RANGE_MS) {
    return [end_at ? { loc: ["body", "end_at"], msg: "More than 60 days after start_at" } : tooLongAgo];
  }
  return {
    idWithin: ({ order_id, updated_at }) => (updated_at >= start_at && updated_at <= until ? [order_id] : []),
  };
}
