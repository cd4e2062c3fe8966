import type { EdgeSource } from "../orders/order-states.ts";

/** The statuses of an appointment in its history; `scheduled` there is `confirmed` as the status of the appointment. */
export const appointmentStatuses = [
  "pending",
  "reserved",
  "scheduled",
  "in_progress",
  "completed",
  "cancelled",
] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** A step that an appointment may make. */
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

/** Every step that an appointment may make. */
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

/** The status of an appointment whose last event is this one. */
export const statusOf = (status: AppointmentStatus): string => (status === "scheduled" ? "confirmed" : status);

/** Whether an appointment may go from one status to the other. */
export const canAppointmentMove = (from: string, to: AppointmentStatus): boolean =>
  appointmentEdges.some((step) => step.from === from && step.to === to);
