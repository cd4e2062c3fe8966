import type { EdgeSource } from "../orders/order-states.ts";

/** Event statuses of an appointment. The event status `scheduled` corresponds to the status `confirmed`. */
export const appointmentStatuses = [
  "pending",
  "reserved",
  "scheduled",
  "in_progress",
  "completed",
  "cancelled",
] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** Allowed transition of an appointment. */
export interface AppointmentEdge {
  readonly from: AppointmentStatus;
  readonly to: AppointmentStatus;
  readonly source: EdgeSource;
}

const edge = (from: AppointmentStatus, to: AppointmentStatus, source: EdgeSource): AppointmentEdge => ({
  from,
  to,
  source,
});

/** Allowed transitions of an appointment. */
export const appointmentEdges: readonly AppointmentEdge[] = [
  edge("pending", "scheduled", "drawn"),
  edge("pending", "cancelled", "drawn"),
  edge("reserved", "scheduled", "inferred"),
  edge("reserved", "pending", "inferred"),
  edge("reserved", "cancelled", "inferred"),
  edge("scheduled", "scheduled", "drawn"),
  edge("scheduled", "cancelled", "drawn"),
  edge("scheduled", "in_progress", "drawn"),
  edge("scheduled", "completed", "inferred"),
  edge("in_progress", "completed", "drawn"),
  edge("in_progress", "cancelled", "drawn"),
];

/** Status of an appointment with this last event status. */
export const statusOf = (status: AppointmentStatus): string => (status === "scheduled" ? "confirmed" : status);

/** Whether an appointment may change from one event status to another. */
export const canAppointmentMove = (from: string, to: AppointmentStatus): boolean =>
  appointmentEdges.some((step) => step.from === from && step.to === to);
