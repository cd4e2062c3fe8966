import type { TransitionSource } from "../orders/lifecycle/transition-table.ts";

/** Event statuses of an appointment. The event status `scheduled` corresponds to the status `confirmed`. */
export const appointmentStatuses = [
  "pending",
  "reserved",
  "scheduled",
  "completed",
  "cancelled",
  "in_progress",
] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** Statuses of an appointment, which differ from its event statuses in `confirmed` only. */
export const wireAppointmentStatuses = [
  "confirmed",
  "pending",
  "reserved",
  "in_progress",
  "completed",
  "cancelled",
] as const satisfies readonly (AppointmentStatus | "confirmed")[];
type WireAppointmentStatus = (typeof wireAppointmentStatuses)[number];

/** Allowed transition of an appointment. */
export interface AppointmentTransition {
  readonly from: AppointmentStatus;
  readonly to: AppointmentStatus;
  readonly source: TransitionSource;
}

const transition = (
  from: AppointmentStatus,
  to: AppointmentStatus,
  source: TransitionSource,
): AppointmentTransition => ({
  from,
  to,
  source,
});

/** Allowed transitions of an appointment. */
export const appointmentTransitions: readonly AppointmentTransition[] = [
  transition("pending", "scheduled", "drawn"),
  transition("pending", "cancelled", "drawn"),
  transition("reserved", "scheduled", "inferred"),
  transition("reserved", "pending", "inferred"),
  transition("reserved", "cancelled", "inferred"),
  transition("scheduled", "scheduled", "drawn"),
  transition("scheduled", "cancelled", "drawn"),
  transition("scheduled", "in_progress", "drawn"),
  transition("scheduled", "completed", "inferred"),
  transition("in_progress", "completed", "drawn"),
  transition("in_progress", "cancelled", "drawn"),
];

/** Status of an appointment with this last event status. */
export const appointmentStatusOf = (status: AppointmentStatus): WireAppointmentStatus =>
  status === "scheduled" ? "confirmed" : status;

/** Whether an appointment may change from one event status to another. */
export const canAppointmentTransition = (from: AppointmentStatus, to: AppointmentStatus): boolean =>
  appointmentTransitions.some((step) => step.from === from && step.to === to);
