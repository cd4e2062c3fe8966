import type { Appointment } from "../appointments/appointment.ts";
import { localDateAt } from "../appointments/wall-clock.ts";
import { type LowLevelStatus, lowLevelStatusOf } from "../orders/lifecycle/order-status.ts";
import { type Order, SAMPLE_TAKEN_STATUSES } from "../orders/lifecycle/order-transitions.ts";
import type { ResultRecord } from "./result-record.ts";
import type { OrderTracking } from "./wire-order-tracking.ts";

/** A day (YYYY-MM-DD) from which turnaround times count, and when it was set, ISO 8601. */
export interface CollectionDay {
  /** Null while no appointment is scheduled after a cancellation. */
  readonly day: string | null;
  readonly at: string;
  /** `lab` if the sample set the day, `patient` if an appointment did. */
  readonly source: "lab" | "patient";
}

/**
 * Lists the days from which the turnaround times of an order counted, oldest first: those of its scheduled
 * appointments, and the day on which its sample was taken if no appointment was scheduled then. The last one is the
 * current day.
 */
export function listCollectionDays(order: Order, appointments: readonly Appointment[]): CollectionDay[] {
  const set = appointments.toSorted(compareCreation).flatMap(listAppointmentDays);
  const changes = set.filter(({ day }, index) => day !== (set[index - 1]?.day ?? null));
  const taken = order.events.find(({ status }) => SAMPLE_TAKEN_STATUSES.includes(lowLevelStatusOf(status)));
  if (!taken || typeof changes.at(-1)?.day === "string") return changes;
  return [...changes, { day: taken.created_at.slice(0, 10), at: taken.created_at, source: "lab" }];
}

/** Sorts by creation. Of appointments created at once, only the last can be open: an order has one at a time. */
function compareCreation(one: Appointment, other: Appointment): number {
  const [atMs, otherMs] = [one, other].map(({ events }) => Date.parse(events[0]?.created_at ?? ""));
  const isCancelled = ({ status }: Appointment) => Number(status === "cancelled");
  return (atMs ?? 0) - (otherMs ?? 0) || isCancelled(other) - isCancelled(one);
}

/** Lists the local days of an appointment's slots, and its cancellation. The event of a reschedule names the slot before it. */
function listAppointmentDays({ events, start_at, iana_timezone }: Appointment): CollectionDay[] {
  const source = "patient";
  const scheduled = events.filter(({ status }) => status === "scheduled");
  const days = scheduled.flatMap(({ created_at: at }, index): CollectionDay[] => {
    const start = slotStartBefore(scheduled[index + 1]?.data) ?? start_at;
    return start === null ? [] : [{ day: localDateAt(iana_timezone, start), at, source }];
  });
  const cancelled = events.filter(({ status }) => status === "cancelled");
  return [...days, ...cancelled.map(({ created_at: at }): CollectionDay => ({ day: null, at, source }))];
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
