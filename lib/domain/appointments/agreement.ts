import { type Appointment, moveAppointment } from "./appointment.ts";
import type { AppointmentStatus } from "./appointment-states.ts";

type Steps = Readonly<Partial<Record<string, readonly AppointmentStatus[]>>>;

/** What an open appointment goes through once the sample is taken; one that had no time is not needed any more. */
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

/** What an appointment goes through, by its status, as its order gets into a low-level status. */
const steps: Readonly<Record<string, Steps>> = {
  requisition_created: { reserved: ["scheduled"] },
  appointment_cancelled: givenUp,
  draw_completed: taken,
  partial_results: taken,
  completed: taken,
  sample_error: taken,
};

/**
 * An appointment as its order gets into a low-level status, so that both say the same. A walk-in order that is cancelled
 * leaves its appointment: that is the patient's (published page on cancelling).
 */
export function agreeing(appointment: Appointment, level: string, at: string): Appointment {
  const isLeft = appointment.type !== "phlebotomy";
  const table = level === "cancelled" ? (isLeft ? {} : givenUp) : (steps[level] ?? {});
  const next = table[appointment.event_status] ?? [];
  return next.reduce((moved, status) => moveAppointment(moved, status, at), appointment);
}

/** What an order and its appointment have to say of each other. */
const agreed: Readonly<Record<string, readonly string[]>> = {
  appointment_pending: ["pending"],
  appointment_scheduled: ["scheduled", "in_progress"],
  appointment_cancelled: ["cancelled"],
};
const OVER = ["completed", "cancelled"];
const BEFORE = ["ordered", "requisition_bypassed", "requisition_created"];

/** Whether an order in a low-level status and its appointment, if it has one, agree. */
export function doAgree(level: string, appointment: Pick<Appointment, "type" | "event_status"> | undefined): boolean {
  if (!appointment) return true;
  const { type, event_status } = appointment;
  if (agreed[level]) return agreed[level].includes(event_status);
  if (level === "ordered") return ["pending", "reserved", "cancelled"].includes(event_status);
  if (BEFORE.includes(level)) return event_status === "cancelled";
  if (level === "cancelled" && type !== "phlebotomy") return true;
  return OVER.includes(event_status);
}
