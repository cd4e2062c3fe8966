import type { Appointment } from "../appointments/appointment.ts";
import { type LowLevelStatus, lowLevelStatusOf } from "../orders/lifecycle/order-status.ts";
import { type Order, SAMPLE_TAKEN_STATUSES } from "../orders/lifecycle/order-transitions.ts";
import type { ResultRecord } from "./result-record.ts";
import type { OrderTracking } from "./wire-order-tracking.ts";

/** A day (YYYY-MM-DD) from which turnaround times count, and when it was set, ISO 8601. */
export interface CollectionDay {
  readonly day: string;
  readonly at: string;
}

/**
 * Lists the days from which the turnaround times of an order counted, oldest first: those of its scheduled
 * appointments, else the day on which its sample was taken. The last one is the current day.
 */
export function listCollectionDays(order: Order, appointments: readonly Appointment[]): CollectionDay[] {
  const scheduled = appointments.flatMap(listScheduledDays).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  if (scheduled.length > 0) {
    return scheduled.filter(({ day }, index) => day !== scheduled[index - 1]?.day);
  }
  const taken = order.events.find(({ status }) => SAMPLE_TAKEN_STATUSES.includes(lowLevelStatusOf(status)));
  return taken ? [{ day: taken.created_at.slice(0, 10), at: taken.created_at }] : [];
}

/** Lists the days of an appointment's slots. The event of a reschedule names the slot before it. */
function listScheduledDays({ events, start_at }: Appointment): CollectionDay[] {
  const scheduled = events.filter(({ status }) => status === "scheduled");
  return scheduled.flatMap(({ created_at: at }, index) => {
    const start = slotStartBefore(scheduled[index + 1]?.data) ?? start_at;
    return start === null ? [] : [{ day: start.slice(0, 10), at }];
  });
}

function slotStartBefore(data: Appointment["event_data"] | undefined): string | undefined {
  const slot = data?.rescheduled_from;
  const start = typeof slot === "object" && slot !== null && "start_at" in slot ? slot.start_at : undefined;
  return typeof start === "string" ? start : undefined;
}

/**
 * Finds when the sample of an order was collected: as the laboratory reports it, as the draw was recorded, or inferred
 * from the arrival at the laboratory, the first partial result or an appointment that has started.
 * @param now ISO 8601.
 */
export function findCollection(
  order: Order,
  record: ResultRecord | undefined,
  appointments: readonly Appointment[],
  now: string,
): OrderTracking["collected_at"] {
  const timeOf = (level: LowLevelStatus) =>
    order.events.find(({ status }) => lowLevelStatusOf(status) === level)?.created_at;
  const known = record?.collected_at ?? timeOf("draw_completed");
  if (known) return { collected_at: known, is_inferred: false, inferred_from: null };
  const started = appointments.find(({ status, start_at }) => status !== "cancelled" && start_at && start_at <= now);
  const inferred = [
    ["lab_arrival", timeOf("delivered_to_lab")],
    ["lab_accessioning", record?.received_at ?? timeOf("partial_results")],
    ["scheduled_appointment", started?.start_at],
  ] as const;
  const [inferred_from, collected_at] = inferred.find(([, time]) => time) ?? [];
  return inferred_from && collected_at ? { collected_at, is_inferred: true, inferred_from } : null;
}
