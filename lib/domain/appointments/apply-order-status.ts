import type { LowLevelStatus } from "../orders/lifecycle/order-status.ts";
import { type Appointment, transitionAppointment } from "./appointment.ts";
import type { AppointmentStatus } from "./appointment-states.ts";

type StatusPaths = Readonly<Partial<Record<AppointmentStatus, readonly AppointmentStatus[]>>>;

/**
 * Statuses that close an open appointment once the sample is taken. An appointment without a confirmed time is
 * cancelled.
 */
const pathsOnceSampleTaken: StatusPaths = {
  pending: ["cancelled"],
  reserved: ["cancelled"],
  scheduled: ["in_progress", "completed"],
  in_progress: ["completed"],
};
const pathsToCancelled: StatusPaths = {
  pending: ["cancelled"],
  reserved: ["cancelled"],
  scheduled: ["cancelled"],
  in_progress: ["cancelled"],
};

/** Statuses that an appointment takes in turn, by the new low-level status of its order and its own status. */
const pathsByOrderStatus: Readonly<Partial<Record<LowLevelStatus, StatusPaths>>> = {
  requisition_created: { reserved: ["scheduled"] },
  appointment_cancelled: pathsToCancelled,
  draw_completed: pathsOnceSampleTaken,
  partial_results: pathsOnceSampleTaken,
  completed: pathsOnceSampleTaken,
  sample_error: pathsOnceSampleTaken,
};

/**
 * Applies a new low-level status of an order to its appointment, so that both stay consistent. A cancelled walk-in
 * order leaves its appointment open, because the patient owns it.
 */
export function applyOrderStatus(appointment: Appointment, level: LowLevelStatus, at: string): Appointment {
  const isLeft = appointment.type !== "phlebotomy";
  const table = level === "cancelled" ? (isLeft ? {} : pathsToCancelled) : (pathsByOrderStatus[level] ?? {});
  const next = table[appointment.event_status] ?? [];
  return next.reduce((moved, status) => transitionAppointment(moved, status, at), appointment);
}

/** Appointment statuses that are consistent with a low-level status of the order. */
const consistentStatuses: Readonly<Partial<Record<LowLevelStatus, readonly AppointmentStatus[]>>> = {
  appointment_pending: ["pending"],
  appointment_scheduled: ["scheduled", "in_progress"],
  appointment_cancelled: ["cancelled"],
};
const INITIAL_STATUSES: readonly AppointmentStatus[] = ["pending", "reserved", "cancelled"];
const FINAL_STATUSES: readonly AppointmentStatus[] = ["completed", "cancelled"];
const STATUSES_BEFORE_APPOINTMENT: readonly LowLevelStatus[] = [
  "ordered",
  "requisition_bypassed",
  "requisition_created",
];

/** Whether a low-level status of an order is consistent with its appointment, if any. */
export function isConsistentWithOrder(
  level: LowLevelStatus,
  appointment: Pick<Appointment, "type" | "event_status"> | undefined,
): boolean {
  if (!appointment) return true;
  const { type, event_status } = appointment;
  if (consistentStatuses[level]) return consistentStatuses[level].includes(event_status);
  if (level === "ordered") return INITIAL_STATUSES.includes(event_status);
  if (STATUSES_BEFORE_APPOINTMENT.includes(level)) return event_status === "cancelled";
  if (level === "cancelled" && type !== "phlebotomy") return true;
  return FINAL_STATUSES.includes(event_status);
}
