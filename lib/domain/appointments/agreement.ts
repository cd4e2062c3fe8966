import { type Appointment, moveAppointment } from "./appointment.ts";
import type { AppointmentStatus } from "./appointment-states.ts";

type Steps = Readonly<Partial<Record<string, readonly AppointmentStatus[]>>>;

/**
 * Statuses that close an open appointment once the sample is taken. An appointment without a confirmed time is
 * cancelled.
 */
const taken: Steps = {
  pending: ["cancelled"],
  reserved: ["cancelled"],
  scheduled: ["in_progress", "completed"],
  in_progress: ["completed"],
};
const givenUp: Steps = {
  pending: ["cancelled"],
  reserved: ["cancelled"],
  scheduled: ["cancelled"],
  in_progress: ["cancelled"],
};

/** Statuses that an appointment takes in turn, by the new low-level status of its order and its own status. */
const steps: Readonly<Record<string, Steps>> = {
  requisition_created: { reserved: ["scheduled"] },
  appointment_cancelled: givenUp,
  draw_completed: taken,
  partial_results: taken,
  completed: taken,
  sample_error: taken,
};

/**
 * Applies a new low-level status of an order to its appointment, so that both stay consistent. A cancelled walk-in
 * order leaves its appointment open, because the patient owns it.
 */
export function agreeing(appointment: Appointment, level: string, at: string): Appointment {
  const isLeft = appointment.type !== "phlebotomy";
  const table = level === "cancelled" ? (isLeft ? {} : givenUp) : (steps[level] ?? {});
  const next = table[appointment.event_status] ?? [];
  return next.reduce((moved, status) => moveAppointment(moved, status, at), appointment);
}

/** Appointment statuses that are consistent with a low-level status of the order. */
const agreed: Readonly<Record<string, readonly string[]>> = {
  appointment_pending: ["pending"],
  appointment_scheduled: ["scheduled", "in_progress"],
  appointment_cancelled: ["cancelled"],
};
const OVER = ["completed", "cancelled"];
const BEFORE = ["ordered", "requisition_bypassed", "requisition_created"];

/** Whether a low-level status of an order is consistent with its appointment, if any. */
export function doAgree(level: string, appointment: Pick<Appointment, "type" | "event_status"> | undefined): boolean {
  if (!appointment) return true;
  const { type, event_status } = appointment;
  if (agreed[level]) return agreed[level].includes(event_status);
  if (level === "ordered") return ["pending", "reserved", "cancelled"].includes(event_status);
  if (BEFORE.includes(level)) return event_status === "cancelled";
  if (level === "cancelled" && type !== "phlebotomy") return true;
  return OVER.includes(event_status);
}
