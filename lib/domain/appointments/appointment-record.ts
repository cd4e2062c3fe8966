import * as z from "zod";
import type { LowLevelStatus } from "../orders/lifecycle/order-status.ts";
import { type Order, workflowOf } from "../orders/lifecycle/order-transitions.ts";
import { type Appointment, appointmentVenue } from "./appointment.ts";
import type { AppointmentStatus } from "./appointment-states.ts";
import type { SlotKind } from "./slots.ts";
import { wireAppointment } from "./wire-appointment.ts";

/** Served zip code, or the code of a patient service center. */
const place = z.string();

/** Venue at which appointments can be booked. */
export const bookableVenue = appointmentVenue.extend({ place });
export type BookableVenue = z.output<typeof bookableVenue>;

/** Stored appointment with its internal fields. */
export const appointmentRecord = z.object({ appointment: wireAppointment, place });
export type AppointmentRecord = z.output<typeof appointmentRecord>;

/** Slot at a place that an appointment holds exclusively. */
export interface HeldSlot {
  readonly provider: string;
  readonly place: string;
  /** ISO 8601. */
  readonly start_at: string;
  readonly appointment_id: string;
}

/** Statuses in which an appointment holds its slot. */
const OPEN_STATUSES: readonly AppointmentStatus[] = ["pending", "reserved", "scheduled", "in_progress"];

/** Whether an appointment is open: neither completed nor cancelled. */
export const isOpenAppointment = ({ event_status }: Appointment): boolean => OPEN_STATUSES.includes(event_status);

/** Slot that an open appointment holds; undefined without a time. */
export function heldSlotOf({ appointment, place }: AppointmentRecord): HeldSlot | undefined {
  const { start_at, provider, id } = appointment;
  return start_at !== null && isOpenAppointment(appointment)
    ? { provider, place, start_at, appointment_id: id }
    : undefined;
}

/**
 * Derives the number of an appointment at its provider from its id, so that a repeated call carries the same number.
 */
export const appointmentNumber = (appointmentId: string): string =>
  appointmentId.replaceAll("-", "").slice(0, 16).toUpperCase();

/** Id of the current or last appointment of an order. */
export function appointmentIdOf({ details }: Order): string | null {
  const isMet = details.type === "walk_in_test" || details.type === "at_home_phlebotomy";
  return isMet ? (details.data?.appointment_id ?? null) : null;
}

/**
 * Low-level statuses in which an order can get an appointment; before its requisition exists, a time is only reserved.
 */
const BEFORE_REQUISITION: LowLevelStatus = "ordered";
const BOOKABLE_STATUSES: readonly LowLevelStatus[] = [
  "requisition_created",
  "requisition_bypassed",
  "appointment_pending",
  "appointment_cancelled",
];

/** Initial status of an appointment for an order in this low-level status; undefined if the order allows no booking. */
export function bookingStatusFor(level: LowLevelStatus): "scheduled" | "reserved" | undefined {
  if (level === BEFORE_REQUISITION) return "reserved";
  return BOOKABLE_STATUSES.includes(level) ? "scheduled" : undefined;
}

/** Appointment type of an order; undefined for a workflow without appointments. */
export function appointmentTypeOf(order: Order): SlotKind | undefined {
  const way = workflowOf(order);
  if (way === "at_home_phlebotomy") return "phlebotomy";
  return way === "walk_in_test" ? "patient_service_center" : undefined;
}
